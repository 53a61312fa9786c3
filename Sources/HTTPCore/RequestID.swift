/// What a request is called, in its answer's `X-Request-Id` and in logs: as its client says, or by a name that was made.
///
/// One that was made is held as its sixteen characters and allocates nothing. It is no secret: do not use it as one.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private enum Form: Hashable, Sendable {
        /// The characters in memory order.
        case made(UInt64, UInt64)
        case taken(String)
    }

    private let form: Form

    /// The most characters of a client's own.
    package static let mostCharacters = 128

    /// Takes what a client sent; `nil` unless it is 1 to 128 characters of `[A-Za-z0-9._~+/=:-]`, which mean nothing
    /// wherever they are shown.
    package init?(_ text: String) {
        guard (1...Self.mostCharacters).contains(text.utf8.count), text.utf8.allSatisfy(Self.isCharacter) else {
            return nil
        }
        form = .taken(text)
    }

    init(_ first: UInt64, _ second: UInt64) { form = .made(first, second) }

    /// What the client sent; `nil` if the id was made.
    package var taken: String? {
        if case .taken(let text) = form { text } else { nil }
    }

    /// The id as text; made on each use if it was not taken.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of characters.
    var count: Int {
        switch form {
        case .made: 16
        case .taken(let text): text.utf8.count
        }
    }

    /// Appends the characters.
    package func append(to bytes: inout [UInt8]) {
        switch form {
        case .made(let first, let second):
            bytes.append(word: first)
            bytes.append(word: second)
        case .taken(let text): bytes.append(text: text)
        }
    }

    func write(to writer: inout ByteWriter) {
        switch form {
        case .made(let first, let second):
            writer.write(word: first)
            writer.write(word: second)
        case .taken(let text): writer.write(text: text)
        }
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
