/// A token that a server gave out, as `medley token new` prints it. No text that is made of it shows it.
public struct AccessToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    private let text: String

    /// Takes a token, white space around it aside; `nil` if it has a character that none can have (RFC 6750, 2.1), or
    /// more than 4,096. Whether it is in force, only the server knows.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        let blank = Array(" \t\r\n".utf8)
        while let first = bytes.first, blank.contains(first) { bytes.removeFirst() }
        while let last = bytes.last, blank.contains(last) { bytes.removeLast() }
        guard (1...4_096).contains(bytes.count), bytes.allSatisfy(Self.isAdmitted) else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isAdmitted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }

    /// The value of the header field `Authorization` that shows it.
    var authorization: String { "Bearer \(text)" }

    /// That it is a token, not which.
    public var description: String { "a token" }
    /// That it is a token, not which.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
