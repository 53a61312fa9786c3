import JSONText
import MedleyCore
import MedleyJSON
import Testing

@Suite struct SnapshotDecoderTests {
    @Test func readsASnapshot() throws {
        let body = #"""
            {"id":"mix","revision":"k3f9a2b1-42","counts":{"sections":2,"items":82},"types":{"music":61},
             "mood":{"a":1,"b":null},"gone":null,"list":[null], "title":"M\u0069x",
             "sections":[{"id":"video","title":"Video","items":[{"id":"v1","type":"video","liked":false,"title":"x"},
              {"type":"video","n":1.10}],"hue":null},{"id":"v1"}]}
            """#
        let video = try type("video")
        let expected = SnapshotContent(
            id: "mix", members: members(#""title":"M\u0069x","mood":{"a":1},"list":[null]"#),
            sections: [
                SnapshotContent.Section(
                    content: SectionContent(id: "video", members: members(#""title":"Video","hue":null"#)),
                    items: [
                        ItemContent(id: "v1", type: video, liked: false, model: members(#""title":"x""#)),
                        ItemContent(id: "made", type: video, liked: nil, model: members(#""n":1.10"#)),
                    ]),
                SnapshotContent.Section(content: SectionContent(id: "v1", members: members(#""title":"""#)), items: []),
            ])
        #expect(try SnapshotDecoder(makeID: { "made" }).content(Array(body.utf8)) == expected)
    }

    @Test(arguments: ["{}", #"{"title":null}"#, #"{"sections":[],"title":"","revision":0}"#])
    func anEmptyObjectIsAnEmptyCollection(_ body: String) throws {
        let expected = SnapshotContent(members: members(#""title":"""#), sections: [])
        #expect(try SnapshotDecoder().content(Array(body.utf8)) == expected)
    }

    /// A collection of one section with these items, and another one after it.
    private static func collection(_ items: String, _ others: String = "[]") -> String {
        #"{"sections":[{"id":"s","items":\#(items)},{"id":"t","items":\#(others)}]}"#
    }

    static let refusals: [Refusal] = [
        Refusal("{", .malformedJSON, nil),
        Refusal(#"{"mood":1,"m\u006fod":2}"#, .malformedJSON, nil),
        Refusal("[]", .invalidChange, ""),
        Refusal(#"{"id":7}"#, .invalidID, "/id"),
        Refusal(#"{"id":null}"#, .invalidID, "/id"),
        Refusal(#"{"title":7}"#, .invalidItem, "/title"),
        Refusal(#"{"sections":{}}"#, .invalidChange, "/sections"),
        Refusal(#"{"sections":null}"#, .invalidChange, "/sections"),
        Refusal(#"{"sections":[1]}"#, .invalidChange, "/sections/0"),
        Refusal(#"{"sections":[{"id":"s"},{"title":"x"}]}"#, .invalidItem, "/sections/1"),
        Refusal(#"{"sections":[{"id":"s"},{"id":"t"},{"id":"s"}]}"#, .duplicateID, "/sections/2/id"),
        Refusal(collection("{}"), .invalidChange, "/sections/0/items"),
        Refusal(collection(#"["a"]"#), .invalidChange, "/sections/0/items/0"),
        Refusal(collection(#"[{"id":"a"}]"#), .invalidItem, "/sections/0/items/0"),
        Refusal(collection(#"[{"id":"a","type":"m","title":1}]"#), .invalidItem, "/sections/0/items/0/title"),
        Refusal(
            collection(#"[{"id":"a","type":"m"},{"id":"a","type":"v"}]"#), .duplicateID, "/sections/0/items/1/id"),
        Refusal(
            collection(#"[{"id":"é","type":"m"}]"#, #"[{"id":"\u00e9","type":"m"}]"#), .duplicateID,
            "/sections/1/items/0/id"),
        // Shape before content.
        Refusal(#"{"title":7,"sections":[{"id":"s","items":3}]}"#, .invalidChange, "/sections/0/items"),
    ]

    @Test(arguments: refusals)
    func refuses(_ refusal: Refusal) {
        refusal.check { _ = try SnapshotDecoder().content($0) }
    }
}
