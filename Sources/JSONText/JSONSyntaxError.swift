/// Why bytes are no JSON text (RFC 8259) or not within the limits.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text ends too early.
        case unexpectedEnd
        /// A byte that cannot stand where it does.
        case unexpectedByte
        /// A byte order mark.
        case byteOrderMark
        /// Bytes in a string that are no UTF-8: overlong, cut short, a surrogate, over U+10FFFF.
        case invalidUTF8
        /// A control character in a string that is not escaped.
        case controlCharacter
        /// An escape that JSON does not have.
        case invalidEscape
        /// An escaped surrogate without its other half.
        case loneSurrogate
        /// A number that JSON does not have: a leading zero, a missing digit.
        case invalidNumber
        /// A member whose name, decoded, the object has already.
        case duplicateName
        /// More objects and arrays inside each other than allowed.
        case tooDeep
        /// Something behind the value.
        case trailingBytes
        /// Another kind of value than the caller asked for.
        case wrongKind
    }

    /// What is wrong.
    public let code: Code
    /// Where, in bytes from the start of the text; for an escape its backslash, for a name its opening quote.
    public let offset: Int
    /// What is wrong, for a person.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, at offset: Int, message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The message and the offset.
    public var description: String { "\(message) at byte \(offset)" }
}
