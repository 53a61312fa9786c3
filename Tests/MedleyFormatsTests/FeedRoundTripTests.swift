import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What a feed can hold comes back from it, as docs/formats.md says.
@Suite struct FeedRoundTripTests {
    typealias Placed = GeneratedCollection.Placed

    /// Members that an RSS item has an element for, with values that it holds.
    private static func model(_ number: Int, _ random: inout SeededRandom) -> [(name: String, value: String)] {
        func text(_ name: String) -> String {
            let pieces = ["é", "e\u{301}", "<b>", "&amp;", "\\\"", "'", "]]>", " - ", "🎸", "7", "a"]
            let inner = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            return "\"\(name) \(inner.joined())\(number)\""
        }
        var members: [(name: String, value: String)] = [("title", text("t")), ("description", text("d"))]
        if Bool.random(using: &random) {
            members.append(("url", "\"https://e.example/\(number)?a=1&b\""))
            members.append(("mimeType", "\"\(["audio/mpeg", "video/mp4"][number % 2])\""))
            if Bool.random(using: &random) { members.append(("size", "\(1 + random.next() % 99)")) }
            if Bool.random(using: &random) { members.append(("link", "\"https://e.example/page/\(number)\"")) }
        }
        let others: [(name: String, value: String)] = [
            ("creator", text("c")), ("artworkURL", "\"https://e.example/\(number).png\""),
            ("duration", "\(random.next() % 9_999)"), ("publishedAt", "\"1968-08-12T09:05:00+02:00\""),
            ("season", "\(random.next() % 9)"), ("episode", "\"07\""), ("episodeType", "\"bonus\""),
            ("explicit", ["true", "false", "\"maybe\""][number % 3]), ("block", "true"), ("closedCaptioned", "true"),
            ("order", "\(random.next() % 9)"), ("content", text("<p>")), ("subtitle", text("s")),
            ("summary", text("sum")), ("keywords", "\"a, b\""),
            ("categories", "[\(text("k")),{\"domain\":\(text("o")),\"text\":\(text("x"))},\(text("l"))]"),
        ]
        for member in others where Bool.random(using: &random) { members.append(member) }
        return members
    }

    private static func members(_ members: [(name: String, value: String)]) -> JSONMembers {
        var all = JSONMembers.empty
        for member in members { all.append(name: member.name, value: member.value.utf8) }
        return all
    }

    @Test func aFeedGivesBackWhatItHasElementsFor() throws {
        var random = SeededRandom()
        for _ in 0..<100 {
            let head = Self.members([("title", "\"T\""), ("description", "\"D\"")])
            var collection = GeneratedCollection(head: head)
            var expected: [[[UInt8]: [UInt8]]] = []
            var ids: [String] = []
            for title in ["A & b", ""] {
                let content = SectionContent(
                    id: SectionID("s\(title)"), members: Self.members([("title", "\"\(title)\"")]))
                var section = GeneratedCollection.Section(content: content, items: [])
                for number in 0..<Int.random(in: 1...4, using: &random) {
                    var members = Self.model(number, &random)
                    ids.append("\(title)\(number)")
                    section.items.append(
                        ItemContent(
                            id: ItemID("\(title)\(number)"), type: ItemType("music"), liked: true,
                            model: Self.members(members)))
                    // The section is the first of an item's categories.
                    let own = members.firstIndex { $0.name == "categories" }
                    if !title.isEmpty {
                        let rest = own.map { "," + String(members[$0].value.dropFirst()) } ?? "]"
                        if let own { members.remove(at: own) }
                        members.append(("categories", "[\"\(title)\"\(rest)"))
                    }
                    expected.append(Placed.dictionary(Self.members(members)))
                }
                collection.sections.append(section)
            }
            let bytes = collection.written(.rss)
            let note = "\(random.note), \(String(decoding: bytes, as: UTF8.self))"
            let (placed, _, problems) = try GeneratedCollection.read(bytes, .rss)
            #expect(placed.map(\.members) == expected, "\(note)")
            #expect(placed.map(\.id) == ids && problems.isEmpty, "\(note)")
            #expect(placed.allSatisfy { $0.type == nil && $0.liked == nil }, "\(note)")
        }
    }

    /// What a feed says otherwise, or not at all.
    @Test(arguments: [
        // The artist is who made it, and without a title the id is one.
        (#""artist":"A","album":"B","year":1970"#, #""title":"i","creator":"A""#),
        // What the medium is, is told by its name.
        (
            #""title":"t","url":"https://e.example/a.mp3""#,
            #""title":"t","url":"https://e.example/a.mp3","mimeType":"audio/mpeg""#
        ),
        // There is no medium without an address, and no fraction of a second.
        (
            #""title":"t","link":"https://e.example/p","size":7,"duration":1.6"#,
            #""title":"t","url":"https://e.example/p","duration":2"#
        ),
        // The first text is the description.
        (#""title":"t","content":"<p>""#, #""title":"t","description":"<p>""#),
        (#""title":"t","season":null,"episode":[1],"explicit":{},"categories":"a""#, #""title":"t""#),
        (
            #""title":"t","categories":[1,null,{"text":""},{"domain":"d"},[],{"text":"a"}]"#,
            #""title":"t","categories":["1","a"]"#
        ),
    ])
    func aFeedLosesWhatIsSaidToBeLost(model: String, comesBack: String) throws {
        var collection = GeneratedCollection(head: Self.members([("title", "\"T\"")]))
        let item = ItemContent(
            id: "i", type: ItemType("music"), liked: false, model: JSONMembers(trusted: Array(model.utf8)))
        collection.sections = [.init(content: SectionContent(id: "s", members: .empty), items: [item])]
        let (placed, _, problems) = try GeneratedCollection.read(collection.written(.rss), .rss)
        #expect(placed.map(\.members) == [Placed.dictionary(JSONMembers(trusted: Array(comesBack.utf8)))])
        #expect(problems.isEmpty)
    }
}
