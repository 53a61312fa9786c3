import MedleyCore
import MedleyJSON
import Testing

/// What a journal kept is read whatever requests may say today.
@Suite struct JournalDecodingTests {
    private static let deep = String(repeating: "[", count: 120) + String(repeating: "]", count: 120)
    private static let longID = String(repeating: "i", count: 300)

    /// Changes that no request may make, each with a reason of its own.
    static let kept = [
        #"[{"op":"insert","items":[{"id":"a","type":"music","liked":false,"duration":-1}],"section":"s"}]"#,
        #"[{"op":"insert","items":[{"id":"a","type":"music","liked":false,"url":"no URL","title":7}],"section":"s"}]"#,
        #"[{"op":"insert","items":[{"id":"\#(longID)","type":"music","liked":false}],"section":"s"}]"#,
        #"[{"op":"insert","items":[{"id":"a\u007fb","type":"music","liked":false}],"after":"\#(longID)"}]"#,
        #"[{"op":"insert","items":[{"id":"a","type":"music","liked":false,"deep":\#(deep)}],"section":"s"}]"#,
        #"[{"op":"update","items":[{"id":"\#(longID)","type":"music","liked":true,"publishedAt":"then"}]}]"#,
        #"[{"op":"delete","ids":["\#(longID)"]}]"#,
        #"[{"op":"insertSection","sections":[{"id":"\#(longID)","title":["one"]}]}]"#,
        #"[{"op":"updateCollection","set":{"title":5,"counts":[1]}}]"#,
    ]

    @Test(arguments: kept)
    func contentThatTodaysRulesRefuseComesBackByteForByte(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(throws: DecodingProblem.self) { try ChangeDecoder().changes(bytes) }
        let changes = try ChangeDecoder.journal.changes(bytes)
        let again = ChangeEncoder.encoded(changes)
        #expect(try ChangeDecoder.journal.changes(again) == changes)
        for part in [
            Self.deep, Self.longID, "\"duration\":-1", "\"no URL\"", "\"then\"", "[\"one\"]", "\"counts\":[1]",
        ]
        where text.contains(part) {
            #expect(String(decoding: again, as: UTF8.self).contains(part))
        }
    }

    @Test(arguments: [
        #"[{"op":"insert","items":[]"#, #"[{"op":"like","ids":["a"],"new":1}]"#, #"[{"op":"vanish","ids":["a"]}]"#,
        #"[{"op":"move","ids":["a"]}]"#, #"{"op":"deleteAll"}"#,
        "[{\"op\":\"insert\",\"items\":[{\"id\":\"a\",\"type\":\"music\",\"deep\":"
            + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}]}]",
    ])
    func whatIsNoListOfChangesIsRefusedAllTheSame(_ text: String) {
        #expect(throws: DecodingProblem.self) { try ChangeDecoder.journal.changes(Array(text.utf8)) }
    }
}
