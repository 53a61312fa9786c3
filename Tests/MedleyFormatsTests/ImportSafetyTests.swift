import Foundation
import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What keeps an import from taking away what it knows nothing about, and from bringing in what nobody could read.
@Suite struct ImportSafetyTests {
    static let prune = ImportPlan.Options(prunes: true)

    /// Whether a folder's records were all that there are, after a failure that is made to happen.
    private func isComplete(
        _ folder: FolderReaderTests.Folder, list: @escaping (String) throws -> [String]
    ) throws -> Bool {
        let reader = try FolderReader(path: folder.url.path, probe: nil, list: list)
        var reading = try ImportReading(reader, RecordMapping())
        while try reading.next() != nil {}
        return reading.isComplete
    }

    private static func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
    }

    @Test func aFolderThatCannotBeListedLeavesTheRestUnknown() throws {
        struct Denied: Error {}
        let folder = try FolderReaderTests.Folder()
        try folder.add("a/1.mp3")
        try folder.add("b/2.mp3")
        #expect(try isComplete(folder, list: Self.names))
        #expect(
            try !isComplete(folder) { path in
                if path.hasSuffix("/b") { throw Denied() }
                return try Self.names(path)
            })
    }

    @Test func aLinkThatLeadsNowhereLeavesTheRestUnknown() throws {
        let folder = try FolderReaderTests.Folder()
        try folder.add("1.mp3")
        try folder.link("more", to: "not/plugged/in")
        #expect(try !isComplete(folder, list: Self.names))
    }

    @Test func foldersThatNestTooDeepLeaveTheRestUnknown() throws {
        let folder = try FolderReaderTests.Folder()
        try folder.add(String(repeating: "d/", count: 64) + "1.mp3")
        #expect(try isComplete(folder, list: Self.names))
        try folder.add(String(repeating: "d/", count: 65) + "2.mp3")
        #expect(try !isComplete(folder, list: Self.names))
    }

    /// A file without a record is what is left of a download that failed.
    @Test(arguments: [
        ("id,title\n", "x.csv"), ("#EXTM3U\n", "x.m3u"), ("[]", "x.json"), (#"{"sections":[]}"#, "x.json"),
        ("<rss><channel><title>t</title></channel></rss>", "x.xml"), ("[playlist]\nNumberOfEntries=0\n", "x.pls"),
    ])
    func aFileWithoutARecordDeletesNothing(text: String, name: String) throws {
        let known = try ImportPlanTests.imported(#"{"id":"a"}"#.utf8).snapshot
        for asOutline in [false, true] {
            let outcome = try ImportPlanTests.imported(text.utf8, name, into: known, asOutline: asOutline, Self.prune)
            #expect(outcome.snapshot.itemCount == 1)
        }
    }

    @Test(arguments: [("2", 2), ("99999999999999999999", 2), ("1", 1), ("0", 1)])
    func aPlaylistWithFewerEntriesThanItSaysDeletesNothing(stated: String, count: Int) throws {
        let known = try ImportPlanTests.imported("[playlist]\nFile1=a\nFile2=b\n".utf8, "x.pls").snapshot
        let text = "[playlist]\nFile1=a\nNumberOfEntries=\(stated)\n"
        let outcome = try ImportPlanTests.imported(text.utf8, "x.pls", into: known, Self.prune)
        #expect(outcome.snapshot.itemCount == count)
    }

    @Test func aFileWhoseTagsCannotBeReadKeepsWhatIsKnownOfIt() throws {
        let folder = try FolderReaderTests.Folder()
        try folder.add("1.mp3")
        let working = try folder.probe(#"echo '{"format":{"tags":{"title":"T","artist":"A"}}}'"#)
        func imported(_ probe: MediaProbe?, into known: Snapshot?) throws -> (snapshot: Snapshot, notices: [String]) {
            var reading = try ImportReading(FolderReader(path: folder.url.path, probe: probe), RecordMapping())
            var plan = ImportPlan(into: known.map { ImportTarget($0) } ?? .absent)
            while let step = try reading.next() { try plan.take(step) }
            let notices = reading.summary.noticeLines
            guard let known else {
                return (try Snapshot(lineage: "l", content: plan.content(named: "c")), notices)
            }
            return (try known.applying(plan.takeBatch().changes().changes), notices)
        }
        let first = try imported(working, into: nil)
        #expect(first.notices.isEmpty)
        let failing = try imported(folder.probe("exit 1"), into: first.snapshot)
        #expect(failing.snapshot.revision == first.snapshot.revision)
        let without = try imported(nil, into: first.snapshot)
        #expect(without.snapshot.revision == first.snapshot.revision)
        #expect(without.notices.count == 1 && without.notices[0].contains("there is no ffprobe"))
        // A new one is called what its name says.
        #expect(try imported(nil, into: nil).snapshot.itemCount == 1)
    }

    /// Two albums have a track of the same name each.
    @Test func twoFoldersWithFilesOfOneNameGoIntoOneCollection() throws {
        let (one, two) = (try FolderReaderTests.read(Self.album()), try FolderReaderTests.read(Self.album()))
        #expect(one.ids.count == 2 && Set(one.ids).isDisjoint(with: two.ids))
        #expect(Set(one.sections.map(\.id)).isDisjoint(with: two.sections.map(\.id)))
    }

    private static func album() throws -> FolderReaderTests.Folder {
        let folder = try FolderReaderTests.Folder()
        try folder.add("01.mp3")
        try folder.add("CD 2/01.mp3")
        return folder
    }

    @Test func aSnapshotsTitleThatIsNoTextIsKeptBesideOne() throws {
        let outcome = try ImportPlanTests.imported(#"{"title":7,"a":null,"sections":[]}"#.utf8, "x.json")
        #expect(outcome.snapshot.members.text == #""title":"c","titleText":7"#)
        #expect(outcome.summary.noticeLines.count == 1)
        let extended = #"{"playlist":{"track":[],"extension":{"urn:x-medley":[{"members":{"title":7}}]}}}"#
        let playlist = try ImportPlanTests.imported(extended.utf8, "x.jspf")
        #expect(playlist.snapshot.members.text == #""title":"c","titleText":7"#)
    }

    /// Levels of nesting by which an item's, a section's or the collection's own content is too deep for clients.
    @Test(arguments: [55, 56, 60, 100])
    func contentThatNestsTooDeepIsRefused(depth: Int) throws {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let fits = depth <= 55
        let item = try ImportPlanTests.imported(
            #"{"sections":[{"id":"s","items":[{"id":"a","x":\#(value)},{"id":"b"}]}]}"#.utf8, "x.json")
        #expect(item.snapshot.itemCount == (fits ? 2 : 1) && item.summary.refused == (fits ? 0 : 1))
        for text in [#"{"x":\#(value),"sections":[]}"#, #"{"sections":[{"id":"s","x":\#(value)}]}"#] {
            if fits {
                _ = try ImportPlanTests.imported(text.utf8, "x.json")
            } else {
                #expect(throws: FormatError.self) { try ImportPlanTests.imported(text.utf8, "x.json") }
            }
        }
    }

    @Test func aSnapshotWithMoreMembersThanACollectionMayHaveIsRefused() throws {
        let members = (0..<256).map { #""m\#($0)":0,"# }.joined()
        let reading = Reading("{\(members)\"sections\":[]}")
        #expect(reading.error == .tooLarge && reading.message.contains("members of its own"))
        let large = Reading(#"{"a":"\#(String(repeating: "x", count: 1 << 20))","sections":[]}"#)
        #expect(large.error == .tooLarge)
    }

    @Test func aPageOfACollectionIsNotTakenForTheWhole() {
        #expect(Reading(#"{"next":"c","sections":[]}"#).message.contains("a page of a collection"))
    }
}
