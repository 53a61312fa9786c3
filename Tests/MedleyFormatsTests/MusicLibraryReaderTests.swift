import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct MusicLibraryReaderTests {
    static func track(_ number: Int, _ rest: String) -> String {
        "<key>\(number)</key>\n<dict><key>Track ID</key><integer>\(number)</integer>\(rest)</dict>"
    }

    static func playlist(_ name: String, _ rest: String, _ tracks: [Int]) -> String {
        "<dict><key>Name</key><string>\(name)</string>\(rest)<key>Playlist Items</key><array>"
            + tracks.map { "<dict><key>Track ID</key><integer>\($0)</integer></dict>" }.joined() + "</array></dict>\n"
    }

    static func library(_ tracks: [String], _ playlists: [String]) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>Major Version</key><integer>1</integer>
        <key>Tracks</key><dict>
        \(tracks.joined(separator: "\n"))
        </dict><key>Playlists</key><array>\(playlists.joined())</array></dict></plist>
        """
    }

    static let library = library(
        [
            track(
                1,
                "<key>Name</key><string>A &#38; B</string><key>Artist</key><string>X</string><key>Total Time</key><integer>225500</integer>"
                    + "<key>Date Added</key><date>2010-01-02T03:04:05Z</date><key>Bit Rate</key><integer>256</integer><key>Year</key><integer>1999</integer>"
                    + "<key>Loved</key><true/><key>Persistent ID</key><string>0F1</string><key>Location</key><string>file:///m/a%20b.mp3</string>"
                    + "<key>Kind</key><string>MPEG</string><key>Compilation</key><false/><key>Genre</key><string>Rock</string>"
            ),
            track(
                2,
                "<key>Name</key><string>M</string><key>Movie</key><true/><key>Persistent ID</key><string>0F2</string>"
                    + "<key>Release Date</key><date>2001-01-01T00:00:00Z</date>"),
            track(3, "<key>Name</key><string>N</string><key>Artist</key><string>Y</string>"),
            track(4, ""),
            track(
                5,
                "<key>Name</key><string>P</string><key>Podcast</key><true/><key>Persistent ID</key><string>0F5</string>"
            ),
        ],
        [
            playlist("Library", "<key>Master</key><true/>", [1, 2, 3, 5]),
            playlist("Music", "<key>Distinguished Kind</key><integer>4</integer>", [1]),
            playlist("Folder", "<key>Folder</key><true/>", [1, 5]),
            playlist("Best", "<key>Playlist Persistent ID</key><string>PL1</string>", [5, 1, 5]),
            playlist("Second", "", [1, 2, 77]), playlist("Empty", "", []),
        ])

    @Test func readsALibrary() {
        let reading = XMLReading(Self.library)
        #expect(reading.format == .musicLibrary && reading.error == nil)
        #expect(reading.sections.map { "\($0.id)" } == ["PL1", "Second", "Empty", "Library"])
        #expect(reading.places == ["Best", "Best", "Second", "Library"])
        #expect(reading.ids == ["0F5", "0F1", "0F2", "Y|N"])
        #expect(reading.types == ["music", "music", "video", "music"])
        #expect(reading.items.map(\.content.liked) == [nil, true, nil, nil])
        #expect(
            reading.models == [
                #""title":"P","podcast":true"#,
                #""title":"A & B","artist":"X","url":"file:///m/a%20b.mp3","duration":225.5,"dateAdded":"2010-01-02T03:04:05Z","#
                    + #""bitRate":256,"year":1999,"kind":"MPEG","compilation":false,"genre":"Rock","playlists":["Best","Second"]"#,
                #""title":"M","publishedAt":"2001-01-01T00:00:00Z","movie":true"#, #""title":"N","artist":"Y""#,
            ])
        #expect(reading.refusals == ["line 12: a track with neither a name, a location nor a persistent id"])
        #expect(reading.notices == ["line 19: a playlist names tracks that the library lacks"])
    }

    /// Another export numbers the tracks anew; nothing else may differ.
    @Test func tracksKeepTheirIDsWhenTheyAreNumberedAnew() {
        let name = "<key>Name</key><string>N</string><key>Persistent ID</key><string>P</string>"
        let first = XMLReading(Self.library([Self.track(7, name)], [Self.playlist("L", "", [7])]))
        let second = XMLReading(Self.library([Self.track(9, name)], [Self.playlist("L", "", [9])]))
        #expect(first.items == second.items && first.ids == ["P"])
    }

    @Test func refusesATrackThatIsNoDictionaryOfKeysAndValues() {
        let reading = XMLReading(
            Self.library(
                [
                    Self.track(1, "<key>Name</key><key>x</key>"), Self.track(2, "<key>Name</key><string>N</string>"),
                    Self.track(2, "<key>Name</key><string>O</string>"),
                ], []))
        #expect(reading.models == [#""title":"N""#])
        #expect(
            reading.refusals == [
                "line 6: a track whose keys and values do not alternate", "line 10: another track has the Track ID 2",
            ])
    }
}
