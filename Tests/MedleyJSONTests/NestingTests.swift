import MedleyCore
import MedleyJSON
import Testing

/// An item's, a section's and a collection's own nesting is limited, so that what carries them stays within 64.
@Suite struct NestingTests {
    /// An object's text that nests as deep as given, itself included.
    private func nested(_ depth: Int, _ members: String) -> String {
        let arrays = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return "{" + members + #""deep":\#(arrays)}"#
    }

    private func check(
        _ isAccepted: Bool, _ body: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ decode: ([UInt8]) throws -> Void
    ) {
        do {
            try decode(Array(body.utf8))
            #expect(isAccepted, sourceLocation: sourceLocation)
        } catch {
            #expect(!isAccepted, sourceLocation: sourceLocation)
            #expect((error as? DecodingProblem)?.code == .malformedJSON, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [(56, true), (57, false)])
    func anItemNestsUpTo56(_ depth: Int, _ isAccepted: Bool) {
        let decoder = ChangeDecoder()
        let item = nested(depth, #""id":"a","type":"music","#)
        let set = nested(depth, "")
        check(isAccepted, #"[{"op":"insert","items":[\#(item)]}]"#) { _ = try decoder.changes($0) }
        check(isAccepted, #"{"changes":[{"op":"update","items":[\#(item)]}]}"#) { _ = try decoder.patchBody($0) }
        check(isAccepted, #"[{"op":"merge","ids":[],"set":\#(set)}]"#) { _ = try decoder.changes($0) }
        check(isAccepted, set) { _ = try decoder.itemPatch($0) }
        check(isAccepted, #"{"sections":[{"id":"s","items":[\#(item)]}]}"#) { _ = try SnapshotDecoder().content($0) }
    }

    @Test(arguments: [(56, true), (57, false)])
    func aSectionAndACollectionNestUpTo56(_ depth: Int, _ isAccepted: Bool) {
        let decoder = ChangeDecoder()
        let section = nested(depth, #""id":"s","items":[],"#)
        let bare = nested(depth, #""id":"s","#)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        check(isAccepted, #"[{"op":"insertSection","sections":[\#(bare)]}]"#) { _ = try decoder.changes($0) }
        check(isAccepted, #"[{"op":"updateCollection","set":\#(nested(depth, ""))}]"#) { _ = try decoder.changes($0) }
        check(isAccepted, #"{"sections":[\#(section)]}"#) { _ = try SnapshotDecoder().content($0) }
        check(isAccepted, nested(depth, #""sections":[],"#)) { _ = try SnapshotDecoder().content($0) }
        check(isAccepted, objects) { _ = try SnapshotDecoder().content($0) }
    }

    @Test func theLimitOfOneItemIsNotThatOfTheNext() throws {
        let deep = nested(56, #""id":"a","type":"music","#)
        let items = #"[\#(deep),{"id":"b","type":"music"}]"#
        let body = #"{"a":[],"sections":[{"id":"s","items":\#(items),"x":[]},{"id":"t"}],"b":1}"#
        let content = try SnapshotDecoder().content(Array(body.utf8))
        #expect(content.sections.map(\.items.count) == [2, 0])
    }
}
