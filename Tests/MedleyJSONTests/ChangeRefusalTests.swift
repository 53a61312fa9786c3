import MedleyJSON
import Testing

/// Every rule about the shape of changes.
@Suite struct ChangeRefusalTests {
    static let bodies: [Refusal] = [
        Refusal("", .malformedJSON, nil),
        Refusal(#"{"changes":[}"#, .malformedJSON, nil),
        Refusal(#"{"changes":[]} x"#, .malformedJSON, nil),
        Refusal("[]", .invalidChange, ""),
        Refusal("null", .invalidChange, ""),
        Refusal("{}", .invalidChange, ""),
        Refusal(#"{"base":"a-1"}"#, .invalidChange, ""),
        Refusal(#"{"changes":{}}"#, .invalidChange, "/changes"),
        Refusal(#"{"changes":null}"#, .invalidChange, "/changes"),
        Refusal(#"{"changes":[],"bases":"a-1"}"#, .invalidChange, "/bases"),
        Refusal(#"{"changes":[],"a/b~c":1}"#, .invalidChange, "/a~1b~0c"),
        Refusal(#"{"changes":[],"changes":[]}"#, .malformedJSON, nil),
        Refusal(#"{"base":"","changes":[]}"#, .invalidRevision, "/base"),
        Refusal(#"{"base":null,"changes":[]}"#, .invalidRevision, "/base"),
        Refusal(#"{"base":"a-01","changes":[]}"#, .invalidRevision, "/base"),
        Refusal(#"{"base":7,"changes":[]}"#, .invalidRevision, "/base"),
        Refusal(#"{"changes":[],"ifRevision":"A-1"}"#, .invalidRevision, "/ifRevision"),
        Refusal(#"{"changes":[],"ifRevision":[]}"#, .invalidRevision, "/ifRevision"),
        // JSON and shape come before content, wherever they are.
        Refusal(#"{"changes":[{"op":"delete","ids":[1]},{"op":nope}]}"#, .malformedJSON, nil),
        Refusal(#"{"changes":[{"op":"update","items":[{"id":""}]},{"op":"nope"}]}"#, .invalidChange, "/changes/1/op"),
        Refusal(#"{"changes":[{"op":"update","items":[{"id":""}]},{"op":"#, .malformedJSON, nil),
    ]

    @Test(arguments: bodies)
    func refusesABody(_ refusal: Refusal) {
        refusal.check { _ = try ChangeDecoder().patchBody($0) }
    }

    /// Each is the second change of a list, so that the pointers carry an index that is not 0.
    static let changes: [Refusal] = [
        Refusal("1", .invalidChange, "/1"),
        Refusal("{}", .invalidChange, "/1"),
        Refusal(#"{"op":"Insert","items":[]}"#, .invalidChange, "/1/op"),
        Refusal(#"{"op":1}"#, .invalidChange, "/1/op"),
        Refusal(#"{"op":null}"#, .invalidChange, "/1/op"),
        Refusal(#"{"ids":["a"]}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"delete","ids":["a"],"x":1}"#, .invalidChange, "/1/x"),
        Refusal(#"{"op":"delete","ids":["a"],"id":"a"}"#, .invalidChange, "/1/id"),
        Refusal(#"{"op":"delete","ids":["a"],"\u0069ds":["b"]}"#, .malformedJSON, nil),
        // Members that must be there.
        Refusal(#"{"op":"insert"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"upsert"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"delete"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"move","after":null}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"move","ids":["a"]}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"move","ids":["a"],"ifMissing":"ignore"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"reorder","ids":["a"]}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"reorder","section":"s"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"update"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"merge","ids":["a"]}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"merge","set":{}}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"like"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"unlike"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"toggleLike"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"insertSection"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"moveSection"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"updateSection"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"deleteSection"}"#, .invalidChange, "/1"),
        Refusal(#"{"op":"updateCollection"}"#, .invalidChange, "/1"),
        // Members of another op.
        Refusal(#"{"op":"insert","items":[],"ids":[]}"#, .invalidChange, "/1/ids"),
        Refusal(#"{"op":"insert","items":[],"set":{}}"#, .invalidChange, "/1/set"),
        Refusal(#"{"op":"delete","ids":[],"after":null}"#, .invalidChange, "/1/after"),
        Refusal(#"{"op":"delete","ids":[],"section":"s"}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"reorder","section":"s","ids":[],"before":null}"#, .invalidChange, "/1/before"),
        Refusal(#"{"op":"update","items":[],"section":"s"}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"like","ids":[],"set":{}}"#, .invalidChange, "/1/set"),
        Refusal(#"{"op":"insertSection","sections":[],"section":"s"}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"moveSection","ids":[],"section":"s"}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"updateSection","sections":[],"after":null}"#, .invalidChange, "/1/after"),
        Refusal(#"{"op":"deleteAll","ids":[]}"#, .invalidChange, "/1/ids"),
        Refusal(#"{"op":"deleteAll","ifMissing":"ignore"}"#, .invalidChange, "/1/ifMissing"),
        Refusal(#"{"op":"updateCollection","set":{},"ifMissing":"ignore"}"#, .invalidChange, "/1/ifMissing"),
        // Members of another kind.
        Refusal(#"{"op":"insert","items":{"id":"a"}}"#, .invalidChange, "/1/items"),
        Refusal(#"{"op":"insert","items":["a"]}"#, .invalidChange, "/1/items/0"),
        Refusal(#"{"op":"insert","items":null}"#, .invalidChange, "/1/items"),
        Refusal(#"{"op":"delete","ids":"a"}"#, .invalidChange, "/1/ids"),
        Refusal(#"{"op":"delete","ids":["a",1]}"#, .invalidChange, "/1/ids/1"),
        Refusal(#"{"op":"delete","ids":["a","b",null]}"#, .invalidChange, "/1/ids/2"),
        Refusal(#"{"op":"delete","ids":[""]}"#, .invalidChange, "/1/ids/0"),
        Refusal(#"{"op":"delete","ids":["\#(id256)y"]}"#, .invalidChange, "/1/ids/0"),
        Refusal(#"{"op":"delete","ids":["a\u0000"]}"#, .invalidChange, "/1/ids/0"),
        Refusal(#"{"op":"delete","ids":["a\u007f"]}"#, .invalidChange, "/1/ids/0"),
        Refusal(#"{"op":"delete","ids":["a\u0085"]}"#, .invalidChange, "/1/ids/0"),
        Refusal("{\"op\":\"delete\",\"ids\":[\"a\u{9F}\"]}", .invalidChange, "/1/ids/0"),
        Refusal(#"{"op":"merge","ids":[],"set":null}"#, .invalidChange, "/1/set"),
        Refusal(#"{"op":"merge","ids":[],"set":[]}"#, .invalidChange, "/1/set"),
        Refusal(#"{"op":"updateCollection","set":"title"}"#, .invalidChange, "/1/set"),
        Refusal(#"{"op":"insertSection","sections":{}}"#, .invalidChange, "/1/sections"),
        Refusal(#"{"op":"insertSection","sections":["s"]}"#, .invalidChange, "/1/sections/0"),
        Refusal(#"{"op":"insertSection","sections":[{"id":"s","items":[]}]}"#, .invalidChange, "/1/sections/0/items"),
        Refusal(#"{"op":"updateSection","sections":[{"id":"s","items":[]}]}"#, .invalidChange, "/1/sections/0/items"),
        Refusal(#"{"op":"insert","items":[],"section":null}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"insert","items":[],"section":""}"#, .invalidChange, "/1/section"),
        Refusal(#"{"op":"insert","items":[],"after":1}"#, .invalidChange, "/1/after"),
        Refusal(#"{"op":"insert","items":[],"before":""}"#, .invalidChange, "/1/before"),
        Refusal(#"{"op":"insert","items":[],"after":"a","before":"b"}"#, .invalidChange, "/1/before"),
        Refusal(#"{"op":"move","ids":[],"before":null,"after":null}"#, .invalidChange, "/1/before"),
        Refusal(#"{"op":"moveSection","ids":[],"before":"b","after":"a"}"#, .invalidChange, "/1/before"),
        Refusal(#"{"op":"delete","ids":[],"ifMissing":true}"#, .invalidChange, "/1/ifMissing"),
        Refusal(#"{"op":"delete","ids":[],"ifMissing":"error"}"#, .invalidChange, "/1/ifMissing"),
    ]

    @Test(arguments: changes)
    func refusesAChange(_ refusal: Refusal) {
        let body = #"[{"op":"deleteAll"},"# + refusal.body + "]"
        Refusal(body, refusal.code, refusal.pointer).check { _ = try ChangeDecoder().changes($0) }
    }

    @Test func tellsWhereTheJSONIsWrong() {
        #expect {
            try ChangeDecoder().patchBody(Array(#"{"changes":[{"op":"delete","ids":["a",]}]}"#.utf8))
        } throws: { error in
            (error as? DecodingProblem)?.offset == 38 && (error as? DecodingProblem)?.code == .malformedJSON
        }
    }
}
