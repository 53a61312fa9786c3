import Foundation
import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct FolderReaderTests {
    /// A folder that is gone when the test is.
    final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }

        func add(_ path: String, _ text: String = "x") throws {
            let file = url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: url.appendingPathComponent(path).path, withDestinationPath: target)
        }

        /// Ids without the folder's own name, which each begins with.
        func plain(_ ids: [String]) -> [String] {
            let start = url.lastPathComponent + "/"
            return ids.map { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : "not in the folder: \($0)" }
        }

        /// A program that stands in for ffprobe.
        func probe(_ script: String, seconds: Double = 60) throws -> MediaProbe {
            try add(".probe", "#!/bin/sh\n\(script)\n")
            let file = url.appendingPathComponent(".probe").path
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
            return MediaProbe(executable: file, seconds: seconds)
        }
    }

    /// Reads without tags, whatever is installed.
    static func read(_ folder: Folder, _ probe: MediaProbe? = nil) throws -> XMLReading {
        XMLReading(path: folder.url.path, probe: try probe ?? folder.probe("exit 1"))
    }

    @Test func readsFilesInOrderEachFolderASection() throws {
        let folder = try Folder()
        try folder.add("b.MP3", "12345")
        try folder.add("X - Y/02. Second?.flac")
        try folder.add("X - Y/01 First.flac")
        try folder.add("X - Y/deep/film.mkv")
        try folder.add("cover.jpg")
        try folder.add(".hidden.mp3")
        try folder.add(".git/a.mp3")
        try folder.add("empty/notes.txt")
        let reading = try Self.read(folder)
        #expect(reading.error == nil && reading.refusals.isEmpty)
        #expect(
            folder.plain(reading.ids) == [
                "b.MP3", "X - Y/01 First.flac", "X - Y/02. Second?.flac", "X - Y/deep/film.mkv",
            ])
        #expect(reading.types == ["music", "music", "music", "video"])
        #expect(reading.places == [folder.url.lastPathComponent, "X - Y", "X - Y", "X - Y/deep"])
        #expect(
            reading.models == [
                #""title":"b","fileName":"b.MP3","path":"b.MP3","size":5"#,
                #""title":"First","trackNumber":1,"fileName":"01 First.flac","path":"X - Y/01 First.flac","size":1"#,
                #""title":"Second?","trackNumber":2,"fileName":"02. Second?.flac","path":"X - Y/02. Second?.flac","size":1"#,
                #""title":"film","fileName":"film.mkv","path":"X - Y/deep/film.mkv","size":1"#,
            ])
        #expect(try MediaFile.open(path: folder.url.path).format == .folder)
    }

    @Test func followsLinksAndEndsInALoop() throws {
        let folder = try Folder()
        try folder.add("a/1.mp3", "123")
        try folder.link("a/loop", to: "..")
        try folder.link("a/self", to: "self")
        try folder.link("b.mp3", to: "a/1.mp3")
        try folder.link("gone.mp3", to: "nowhere")
        let reading = try Self.read(folder)
        #expect(folder.plain(reading.ids) == ["b.mp3", "a/1.mp3"])
        #expect(reading.models.first?.contains(#""size":3"#) == true)
        #expect(reading.notices.filter { $0.contains("leads nowhere") }.count == 2)
    }

    @Test(arguments: [
        ("Layla.mp3", #""title":"Layla""#), ("01 Layla.mp3", #""title":"Layla","trackNumber":1"#),
        ("1. Layla.mp3", #""title":"Layla","trackNumber":1"#), ("1-03 Layla.mp3", #""title":"Layla","trackNumber":3"#),
        ("03 - Layla.mp3", #""title":"Layla","trackNumber":3"#), ("99 Luftballons.mp3", #""title":"99 Luftballons""#),
        ("1979.mp3", #""title":"1979""#), ("7.mp3", #""title":"7""#), ("01.mp3", #""title":"01""#),
        ("Derek - Layla.mp3", #""title":"Layla","artist":"Derek""#),
        ("Derek_-_Layla_live.mp3", #""title":"Layla live","artist":"Derek""#),
        ("04_Layla.mp3", #""title":"Layla","trackNumber":4"#),
        ("04 Derek - Layla.mp3", #""title":"Layla","artist":"Derek","trackNumber":4"#),
        ("Derek - 07 - Layla.mp3", #""title":"Layla","artist":"Derek","trackNumber":7"#),
        ("Derek - Assorted - 07 - Layla.mp3", #""title":"Layla","artist":"Derek","album":"Assorted","trackNumber":7"#),
        ("Derek - Assorted - Layla - live.mp3", #""title":"Layla - live","artist":"Derek","album":"Assorted""#),
        ("a.b.mp3", #""title":"a.b""#), ("50-50.mp3", #""title":"50-50""#), ("Mr. A.mp3", #""title":"Mr. A""#),
    ])
    func readsAFilesName(_ name: String, model: String) throws {
        let folder = try Folder()
        try folder.add(name)
        let reading = try Self.read(folder)
        #expect(reading.models.first?.hasPrefix(model + #","fileName""#) == true, "\(reading.models)")
    }

    @Test func takesTagsFromAProgramThatIsGivenTheFileAsOneArgument() throws {
        let folder = try Folder()
        try folder.add("$(touch x); 'a' & b.mp3")
        let probe = try folder.probe(
            #"""
            for last; do :; done
            case "$last" in */"\$(touch x); 'a' & b.mp3") ;; *) exit 1 ;; esac
            echo '{"format":{"duration":"61.5","bit_rate":"128000","format_name":"mp3","tags":{"TITLE":"T","artist":"A",
             "album_artist":"B","track":"3/12","date":"1999","id":"7"}}}'
            """#)
        let reading = try Self.read(folder, probe)
        #expect(reading.notices.isEmpty, "\(reading.notices)")
        #expect(
            reading.models == [
                #""title":"T","artist":"A","duration":61.5,"trackNumber":3,"trackCount":12,"albumArtist":"B","date":"1999","fileId":"7","#
                    + #""container":"mp3","bitRate":128000,"fileName":"$(touch x); 'a' & b.mp3","path":"$(touch x); 'a' & b.mp3","size":1"#
            ])
        #expect(!FileManager.default.fileExists(atPath: "x"))
    }

    @Test(arguments: [
        ("exec sleep 300", 0.2, "ffprobe took too long"), ("echo nonsense", 60, "its tags cannot be read"),
        ("echo '{\"format\":7}'", 60, "its tags cannot be read"), ("exec cat /dev/zero", 60, "its tags are too large"),
    ])
    func goesOnWithTheNameWhereAProgramFails(_ script: String, seconds: Double, reason: String) throws {
        let folder = try Folder()
        try folder.add("Derek - Layla.mp3")
        let reading = try Self.read(folder, folder.probe(script, seconds: seconds))
        #expect(reading.member("artist") == #""Derek""#)
        #expect(reading.notices.map { $0.split(separator: ": ").last } == ["\(reason); its name says what it is"])
    }

    /// Half a second of silence that says what it is called.
    @Test(.enabled(if: MediaProbe.onPath() != nil, "ffprobe is not installed"))
    func readsTagsWithTheProgramItself() throws {
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
        }
        let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
        let tags = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("Silence\0".utf8)))
        let sound = chunk("data", [UInt8](repeating: 0x80, count: 4000))
        let folder = try Folder()
        let file = chunk("RIFF", Array("WAVE".utf8) + chunk("fmt ", format) + tags + sound)
        try Data(file).write(to: folder.url.appendingPathComponent("-v 01.wav"))
        // A list of other files in disguise opens none of them.
        try folder.add("list.mp3", "ffconcat version 1.0\nfile '-v 01.wav'\n")
        let reading = XMLReading(path: folder.url.path)
        #expect(reading.member("title") == #""Silence""# && reading.member("duration") == "0.500000")
        #expect(reading.models.last == #""title":"list","fileName":"list.mp3","path":"list.mp3","size":38"#)
        #expect(reading.notices == ["line 2: its tags cannot be read; its name says what it is"])
    }

    @Test func saysThatAFolderIsMissing() {
        #expect(throws: FormatError(.notFound, "no/such: no such folder")) { try FolderReader(path: "no/such") }
    }
}
