import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What an import does to sections that are there.
@Suite struct ImportSectionTests {
    /// A file without sections says nothing of their order, and gives its items' order within each.
    @Test(arguments: [
        ("b a", "A: a, B: b c, C: d"), ("d c b a", "A: a, B: c b, C: d"), ("n c b a", "A: a, B: c b, C: d n"),
        // The last two records name their sections.
        ("a d>C c>B", "A: a, C: d, B: b c"), ("n b>B a>A", "B: b c, A: a, C: d n"),
    ])
    func leavesSectionsWhereTheyAreThatTheFileDoesNotName(file: String, layout: String) throws {
        let known = try ImportPlanTests.imported(
            ImportPlanTests.lines([("a", "A"), ("b", "B"), ("c", "B"), ("d", "C")]), section: "g"
        ).snapshot
        let lines = file.split(separator: " ").map { item in
            let parts = item.split(separator: ">")
            let section = parts.count == 2 ? #","section":{"id":"\#(parts[1])","title":"\#(parts[1])"}"# : ""
            return #"{"id":"\#(parts[0])"\#(section)}"#
        }
        for asOutline in [false, true] {
            let outcome = try ImportPlanTests.imported(
                Array(lines.joined(separator: "\n").utf8), into: known, asOutline: asOutline, ImportPlanTests.source)
            #expect(ImportPlanTests.layout(outcome.snapshot).joined(separator: ", ") == layout)
        }
    }

    /// Files of formats that bring their own sections.
    private static let sectioned = [
        (
            "a.rss",
            "<rss><channel><title>T</title><description>d</description><item><guid>1</guid></item></channel></rss>"
        ),
        ("a.atom", "<feed><title>T</title><id>f</id><entry><id>1</id></entry></feed>"),
        (
            "a.xspf",
            "<playlist><title>T</title><annotation>d</annotation><trackList><track><title>1</title></track></trackList>"
                + "</playlist>"
        ),
        ("a.opml", "<opml><body><outline text='T' owner='o'><outline text='1'/></outline></body></opml>"),
        ("a.m3u", "#EXTM3U\n#PLAYLIST:T\n1.mp3\n"), ("a.pls", "[playlist]\nFile1=1.mp3\n"),
        ("a.jspf", #"{"playlist":{"title":"T","annotation":"d","track":[{"location":["https://e.example/1"]}]}}"#),
        ("a.jsonl", #"{"id":"1","section":{"id":"s","title":"T","color":"red"}}"#),
        (
            "a.plist",
            "<plist><dict><key>Tracks</key><dict><key>1</key><dict><key>Persistent ID</key><string>A</string></dict></dict>"
                + "</dict></plist>"
        ),
    ]

    /// A section that people have renamed, or given other members, is not what the file says any more.
    @Test(arguments: sectioned)
    func aSectionKeepsWhatPeopleHaveMadeOfIt(name: String, text: String) throws {
        let known = try ImportPlanTests.imported(text.utf8, name).snapshot
        let section = try #require(known.orderedSections.first { _ in true })
        let own = JSONMembers(trusted: Array(#""title":"Mine","mood":"calm""#.utf8))
        let renamed = try known.applying([Change(.updateSection([SectionContent(id: section.id, members: own)]))])
        for options in [ImportPlan.Options(), ImportPlanTests.source] {
            let again = try ImportPlanTests.imported(text.utf8, name, into: renamed, options)
            #expect(again.changes.isEmpty, "\(again.changes)")
        }
    }

    /// A snapshot is what people edit and bring back, so its sections' members are taken over.
    @Test func aSnapshotsSectionsAreTakenOver() throws {
        func text(_ title: String) -> [UInt8] {
            Array(#"{"sections":[{"id":"s","title":"\#(title)","items":[{"id":"1"}]}]}"#.utf8)
        }
        let known = try ImportPlanTests.imported(text("A"), "a.json").snapshot
        let again = try ImportPlanTests.imported(text("B"), "a.json", into: known)
        #expect(again.snapshot.section("s")?.content.members.text == #""title":"B""#)
    }
}
