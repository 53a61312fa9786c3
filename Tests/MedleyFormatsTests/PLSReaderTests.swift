import MedleyFormats
import Testing

@Suite struct PLSReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: [String]
        var records: [[String]] = []
        var section = #"mix "title":"mix""#
        var head: [String] = []
        var refusals: [String] = []
        var notices: [String] = []
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "plain",
            lines: [
                "[playlist]", "File1=https://example.com/a.mp3", "Title1=The Band - The Weight", "Length1=225",
                "File2=C:\\x.mp3", "NumberOfEntries=2", "Version=2",
            ],
            records: [
                ["title=The Weight", "artist=The Band", "url=https://example.com/a.mp3", "duration=225"],
                ["title=x", "path=C:\\x.mp3"],
            ]),
        Case(
            name: "any case and order, spaces, gaps in the numbers",
            lines: [
                "[Playlist]", "numberofentries = 3", "TITLE10=Ten", "length2 = -1", "Title2= Two ", "file10=j",
                "FILE2=b", "; a remark", "# another", "file1=a=b.mp3", "LENGTH10=1.5",
            ],
            records: [
                ["title=a=b", "path=a=b.mp3"], ["title=Two", "path=b"], ["title=Ten", "path=j", "duration=1.5"],
            ]),
        Case(
            name: "a wrong count", lines: ["[playlist]", "NumberOfEntries=5", "File1=a"], records: [["path=a"]],
            notices: ["line 1: NumberOfEntries is 5, but there are 1"]),
        Case(
            name: "entries without a location", lines: ["[playlist]", "Title1=T", "Length2=5", "File3=c"],
            records: [["title=T"], ["duration=5"], ["path=c"]],
            notices: [
                "line 2: an entry has no location; it is kept with what is said of it",
                "line 3: an entry has no location; it is kept with what is said of it",
            ]),
        Case(
            name: "an entry of which nothing is said", lines: ["[playlist]", "Length1=-1", "File2=b"],
            records: [["path=b"]], refusals: ["line 2: an entry without a title and a location"]),
        Case(
            name: "keys of all kinds",
            lines: ["[playlist]", "X-GNOME-Title=Mine", "Genre=Folk", "File1=a", "File1=b", "Rating1=5", "File=z"],
            records: [["path=a", "File=b", "Rating=5"]], section: #"Mine "title":"Mine""#,
            head: [#""title":"Mine","Genre":"Folk","File":"z""#]),
        Case(
            name: "lines that are none",
            lines: [
                "[playlist]", "what", "=x", "[other]", "File99999999999999999999=x", "File1=a\0", "Title1=", "File2=b",
            ],
            records: [["path=b"]],
            refusals: [
                "line 2: not KEY=VALUE", "line 3: not KEY=VALUE", "line 4: a part of the file that is no playlist",
                "line 5: the entry's number is too large", "line 6: a NUL byte",
            ]),
    ]

    @Test(arguments: cases, [1, 3, 65536])
    func readsPlaylists(_ test: Case, chunk: Int) {
        // A NUL near the start makes a file binary.
        let padding = test.lines.contains { $0.contains("\0") } ? String(repeating: " ", count: 5000) : ""
        let text = test.lines.joined(separator: ["\n", "\r\n", "\r"][chunk % 3])
            .replacing("[playlist]", with: "[playlist]" + padding)
        let reading = Reading(text, name: "mix.pls", chunk: chunk)
        #expect(reading.error == nil)
        #expect(reading.records == test.records)
        #expect(reading.recordSections.allSatisfy { $0 == test.section }, "\(reading.recordSections)")
        #expect(reading.sections == test.head)
        #expect(reading.refusals == test.refusals)
        #expect(reading.notices == test.notices)
    }

    @Test func readsWindows1252() {
        let reading = Reading(Array("[playlist]\nFile1=caf".utf8) + [0xE9] + Array("\n".utf8), name: "x")
        #expect(reading.records == [["path=café"]])
        #expect(reading.notices == ["line 2: lines that are not UTF-8 are read as Windows-1252"])
    }

    @Test func refusesMoreLinesAboutOneEntryThanAnyHas() {
        let lines = (0..<1_001).map { "k\($0)x1=v\n" }.joined()
        let reading = Reading("[playlist]\nFile1=a\n" + lines)
        #expect(reading.error == .tooLarge)
        #expect(reading.message.contains("more than 1000 lines about entry 1"))
    }

    @Test func refusesAFileOfNothingButLinesThatCannotBeRead() {
        let reading = Reading("[playlist]\n" + String(repeating: "x\n", count: 100_001))
        #expect(reading.error == .tooLarge)
        #expect(reading.message.contains("100000 lines that cannot be read"))
    }

    @Test func takesTheIdentityFromTheLocationOrTheNames() {
        #expect(Reading("[playlist]\nFile1=a\nTitle1=x\nTitle2=B - C\n").identities == ["a", "B|C"])
    }
}
