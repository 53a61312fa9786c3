import JSONText
import MedleyCore
import MedleyJSON
import Testing

@Suite struct EncodingTests {
    @Test func writesOpsFirstAndWhatIsNeededOnly() throws {
        let music = try type("music")
        let item = ItemContent(id: "a\"", type: music, liked: nil, model: members(#""title":"x""#))
        let liked = ItemContent(id: "b", type: nil, liked: true, model: .empty)
        let section = SectionContent(id: "s", members: members(#""title":"S","n":1"#))
        let itemPatch = ItemPatch(id: "a", type: music, liked: false, model: try patch(#"{"title":null}"#))
        let cases: [(Change, String)] = [
            (
                Change(.insert([item, liked], at: .last(in: nil))),
                #"{"op":"insert","items":[{"id":"a\"","type":"music","title":"x"},{"id":"b","liked":true}]}"#
            ),
            (Change(.upsert([], at: nil)), #"{"op":"upsert","items":[]}"#),
            (Change(.upsert([], at: .last(in: nil))), #"{"op":"upsert","items":[],"before":null}"#),
            (Change(.move(["a"], to: .last(in: nil))), #"{"op":"move","ids":["a"],"before":null}"#),
            (Change(.move(["a"], to: .last(in: "s"))), #"{"op":"move","ids":["a"],"section":"s"}"#),
            (Change(.move(["a"], to: .first(in: nil))), #"{"op":"move","ids":["a"],"after":null}"#),
            (
                Change(.move(["a"], to: .after("b", section: "s")), ignoresMissing: true),
                #"{"op":"move","ids":["a"],"section":"s","after":"b","ifMissing":"ignore"}"#
            ),
            (Change(.reorder("s", ["b", "a"])), #"{"op":"reorder","section":"s","ids":["b","a"]}"#),
            (
                Change(.merge(["a"], itemPatch)),
                #"{"op":"merge","ids":["a"],"set":{"id":"a","type":"music","liked":false,"title":null}}"#
            ),
            (Change(.setLiked(["a"], true)), #"{"op":"like","ids":["a"]}"#),
            (Change(.setLiked(["a"], false)), #"{"op":"unlike","ids":["a"]}"#),
            (
                Change(.insertSection([section], at: .first)),
                #"{"op":"insertSection","sections":[{"id":"s","title":"S","n":1}],"after":null}"#
            ),
            (Change(.moveSection(["s"], to: .last)), #"{"op":"moveSection","ids":["s"]}"#),
            (Change(.deleteAll, ignoresMissing: true), #"{"op":"deleteAll"}"#),
            (
                Change(.updateCollection(try patch(#"{"title":"x","y":{"z":null}}"#))),
                #"{"op":"updateCollection","set":{"title":"x","y":{"z":null}}}"#
            ),
        ]
        for (change, expected) in cases { #expect(text(ChangeEncoder.encoded([change])) == "[\(expected)]") }
        #expect(
            text(ChangeEncoder.encoded(cases.map(\.0))) == "[" + cases.map(\.1).joined(separator: ",") + "]")
        var output = Array("<".utf8)
        ChangeEncoder.append([], to: &output)
        #expect(text(output) == "<[]")
    }

    @Test func writesItemsReservedMembersFirst() throws {
        var output: [UInt8] = []
        let music = try type("music")
        ItemEncoder.append(id: "a", type: music, liked: true, model: members(#""n":1.10"#), to: &output)
        ItemEncoder.append(id: "é\\", type: music, liked: false, model: .empty, to: &output)
        ItemEncoder.append(id: "a", type: music, to: &output)
        #expect(
            text(output)
                == #"{"id":"a","type":"music","liked":true,"n":1.10}{"id":"é\\","type":"music","liked":false}"#
                + #"{"id":"a","type":"music"}"#)
        output = []
        SectionEncoder.appendOpening(id: "s", members: .empty, to: &output)
        SectionEncoder.append(SectionContent(id: "t", members: members(#""title":"""#)), to: &output)
        #expect(text(output) == #"{"id":"s"{"id":"t","title":""}"#)
    }

    @Test func writesAnswers() throws {
        let from = Revision(lineage: "k3", number: 1)
        let to = Revision(lineage: "k3", number: 2)
        let cases: [(ChangesAnswer, String)] = [
            (
                ChangesAnswer(from: from, to: to, changes: [Change(.delete(["a"]))]),
                #"{"from":"k3-1","to":"k3-2","changes":[{"op":"delete","ids":["a"]}]}"#
            ),
            (ChangesAnswer(from: from, to: to, changes: nil), #"{"from":"k3-1","to":"k3-2"}"#),
            (
                ChangesAnswer(from: nil, to: to, isReset: true, changes: []),
                #"{"from":null,"to":"k3-2","reset":true,"changes":[]}"#
            ),
        ]
        for (answer, expected) in cases {
            #expect(text(answer.encoded()) == expected)
            #expect(try ChangeDecoder().changesAnswer(Array(expected.utf8)) == answer)
            guard let changes = answer.changes else { continue }
            var output: [UInt8] = []
            ChangesAnswer.append(
                from: answer.from, to: answer.to, isReset: answer.isReset,
                encodedChanges: ChangeEncoder.encoded(changes), to: &output)
            #expect(text(output) == expected)
        }
        #expect(
            try ChangeDecoder().changesAnswer(Array(#"{"to":"k3-2","later":{"x":1},"from":"k3-1"}"#.utf8))
                == ChangesAnswer(from: from, to: to, changes: nil))
    }

    static let badAnswers: [Refusal] = [
        Refusal("[]", .invalidChange, ""), Refusal("{}", .invalidRevision, ""),
        Refusal(#"{"to":"x"}"#, .invalidRevision, "/to"),
        Refusal(#"{"to":"k-1","from":"k-0"}"#, .invalidRevision, "/from"),
        Refusal(#"{"to":"k-1","changes":[{"op":"x"}]}"#, .invalidChange, "/changes/0/op"),
    ]

    @Test(arguments: badAnswers)
    func refusesAnswers(_ refusal: Refusal) {
        refusal.check { _ = try ChangeDecoder().changesAnswer($0) }
    }

    @Test func writesPointers() {
        #expect(JSONPointer.text(of: []) == "")
        #expect(JSONPointer.text(of: [.index(3), .member("a/b~c"), .member("")]) == "/3/a~1b~0c/")
    }
}
