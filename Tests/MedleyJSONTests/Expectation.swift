import JSONText
import MedleyCore
import MedleyJSON
import Testing

/// A body and why it is refused.
struct Refusal: Sendable, CustomTestStringConvertible {
    let body: String
    let code: DecodingProblem.Code
    let pointer: String?

    init(_ body: String, _ code: DecodingProblem.Code, _ pointer: String?) {
        self.body = body
        self.code = code
        self.pointer = pointer
    }

    var testDescription: String { "\(body.prefix(120)) → \(code.rawValue) at \(pointer ?? "an offset")" }

    /// Checks that `decode` refuses the body so.
    func check(sourceLocation: SourceLocation = #_sourceLocation, _ decode: ([UInt8]) throws -> Void) {
        do {
            try decode(Array(body.utf8))
            Issue.record("accepted: \(body)", sourceLocation: sourceLocation)
        } catch {
            let problem = error as? DecodingProblem
            #expect(problem?.code == code, sourceLocation: sourceLocation)
            #expect(problem?.pointer == pointer, sourceLocation: sourceLocation)
            #expect((problem?.offset != nil) == (code == .malformedJSON), sourceLocation: sourceLocation)
            #expect(problem?.detail.isEmpty == false, sourceLocation: sourceLocation)
        }
    }
}

/// The bytes as text.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Members by the text between their braces.
func members(_ text: String) -> JSONMembers { JSONMembers(trusted: Array(text.utf8)) }

/// A merge patch by its text.
func patch(_ text: String) throws -> JSONMergePatch {
    var scanner = JSONScanner(Array(text.utf8))
    return try JSONMergePatch(from: &scanner)
}

/// A type by its name.
func type(_ name: String) throws -> ItemType { try #require(ItemType(name)) }

/// The longest id.
let id256 = String(repeating: "x", count: 256)
