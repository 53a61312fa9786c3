import JSONText
import MedleyCore
import MedleyJSON
import Testing

@Suite struct ChangeDecoderTests {
    /// Reads one operation.
    private func operation(_ text: String, _ decoder: ChangeDecoder = ChangeDecoder()) throws -> Change.Operation {
        let changes = try decoder.changes(Array("[\(text)]".utf8))
        return try #require(changes.first).operation
    }

    @Test func readsTheBodyOfAPatch() throws {
        let body = #"""
            {"base":"k3f9a2b1-40","changes":[{"op":"toggleLike","ids":["v1"]},{"op":"move","ids":["v3"],"after":null},
             {"ids":["v7"],"op":"delete","ifMissing":"ignore"}],"ifRevision":"k3f9a2b1-41"}
            """#
        let expected = PatchBody(
            base: Revision("k3f9a2b1-40"), ifRevision: Revision("k3f9a2b1-41"),
            changes: [
                Change(.toggleLiked(["v1"])), Change(.move(["v3"], to: .first(in: nil))),
                Change(.delete(["v7"]), ignoresMissing: true),
            ])
        let read = try ChangeDecoder().patchBody(Array(body.utf8))
        #expect(read == expected)
        #expect(try ChangeDecoder().patchBody(read.encoded()) == expected)
        #expect(try ChangeDecoder().patchBody(Array(#"{"changes":[]}"#.utf8)) == PatchBody(changes: []))
    }

    static let places: [(String, Place?)] = [
        ("", nil),
        (#","section":"s""#, .last(in: "s")),
        (#","after":"a""#, .after("a", section: nil)),
        (#","after":"a","section":"s""#, .after("a", section: "s")),
        (#","before":"a""#, .before("a", section: nil)),
        (#","section":"s","before":"a""#, .before("a", section: "s")),
        (#","after":null"#, .first(in: nil)),
        (#","after":null,"section":"s""#, .first(in: "s")),
        (#","before":null"#, .last(in: nil)),
        (#","section":"s","before":null"#, .last(in: "s")),
    ]

    @Test(arguments: places)
    func readsPlaces(_ text: String, _ place: Place?) throws {
        #expect(try operation(#"{"op":"insert","items":[]\#(text)}"#) == .insert([], at: place ?? .last(in: nil)))
        #expect(try operation(#"{"op":"upsert","items":[]\#(text)}"#) == .upsert([], at: place))
        if let place { #expect(try operation(#"{"op":"move","ids":[]\#(text)}"#) == .move([], to: place)) }
    }

    static let sectionPlaces: [(String, SectionPlace)] = [
        ("", .last), (#","after":"a""#, .after("a")), (#","before":"a""#, .before("a")), (#","after":null"#, .first),
        (#","before":null"#, .last),
    ]

    @Test(arguments: sectionPlaces)
    func readsPlacesOfSections(_ text: String, _ place: SectionPlace) throws {
        #expect(try operation(#"{"op":"insertSection","sections":[]\#(text)}"#) == .insertSection([], at: place))
        #expect(try operation(#"{"op":"moveSection","ids":["a"]\#(text)}"#) == .moveSection(["a"], to: place))
    }

    @Test func readsEveryOtherOp() throws {
        #expect(try operation(#"{"op":"reorder","section":"s","ids":["b","a"]}"#) == .reorder("s", ["b", "a"]))
        #expect(try operation(#"{"op":"like","ids":["a"]}"#) == .setLiked(["a"], true))
        #expect(try operation(#"{"op":"unlike","ids":["a"]}"#) == .setLiked(["a"], false))
        #expect(try operation(#"{"op":"deleteSection","ids":["s"]}"#) == .deleteSection(["s"]))
        #expect(try operation(#"{"op":"deleteAll"}"#) == .deleteAll)
        #expect(
            try operation(#"{"op":"updateCollection","set":{"title":null,"x":{"y":1}}}"#)
                == .updateCollection(patch(#"{"title":null,"x":{"y":1}}"#)))
    }

    @Test func readsItems() throws {
        let text = #"""
            { "year" : 1970, "liked":true, "id":"a\u00e9", "n":1.10, "type":"music", "title" : "L\u0061yla",
              "x":{ "a" : [1e400, null] } }
            """#
        let item = ItemContent(
            id: "aé", type: try type("music"), liked: true,
            model: members(#""year":1970,"n":1.10,"title":"L\u0061yla","x":{"a":[1e400,null]}"#))
        #expect(try operation(#"{"op":"insert","items":[\#(text)]}"#) == .insert([item], at: .last(in: nil)))
        let bare = ItemContent(id: "a", type: nil, liked: nil, model: .empty)
        #expect(try operation(#"{"op":"update","items":[{"id":"a"}]}"#) == .update([bare]))
        #expect(try operation(#"{"op":"upsert","items":[{"id":"a"}]}"#) == .upsert([bare], at: nil))
    }

    @Test func bothNormalFormsOfALetterAreDifferentIDs() throws {
        let text = "{\"op\":\"delete\",\"ids\":[\"\u{E9}\",\"e\u{301}\",\"a/b%2F+😀\",\"\(id256)\",\" \"]}"
        guard case .delete(let ids) = try operation(text) else {
            Issue.record("no delete")
            return
        }
        #expect(Set(ids).count == 5)
        #expect(ids.map(\.utf8)[1] == [0x65, 0xCC, 0x81])
    }

    @Test func makesIDsForNewItems() throws {
        let text = #"{"op":"insert","items":[{"type":"music"},{"id":"a","type":"music"},{"type":"video"}]}"#
        guard case .insert(let items, _) = try operation(text, ChangeDecoder(makeID: { "made" })) else {
            Issue.record("no insert")
            return
        }
        #expect(items.map(\.id) == ["made", "a", "made"])
        guard case .upsert(let random, _) = try operation(#"{"op":"upsert","items":[{"n":1},{"n":2}]}"#) else {
            Issue.record("no upsert")
            return
        }
        #expect(Set(random.map(\.id)).count == 2)
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for item in random { #expect(item.id.description.wholeMatch(of: uuid) != nil) }
    }

    @Test func readsPatchesOfItems() throws {
        let body = #"{"a":1,"liked":false,"title":null,"\u0069d":"x","type":"music","b":{"c":null},"duration":0}"#
        let expected = ItemPatch(
            id: "x", type: try type("music"), liked: false,
            model: try patch(#"{"a":1,"title":null,"b":{"c":null},"duration":0}"#))
        #expect(try ChangeDecoder().itemPatch(Array(body.utf8)) == expected)
        #expect(try operation(#"{"op":"merge","ids":["x"],"set":\#(body)}"#) == .merge(["x"], expected))
    }

    @Test func putsASectionsTitleFirst() throws {
        let text = #"{"op":"insertSection","sections":[{"n":1.10,"id":"s","t\u0069tle":"\u0041","z":null},{"id":"t"}]}"#
        let sections = [
            SectionContent(id: "s", members: members(#""title":"\u0041","n":1.10,"z":null"#)),
            SectionContent(id: "t", members: members(#""title":"""#)),
        ]
        #expect(try operation(text) == .insertSection(sections, at: .last))
    }
}
