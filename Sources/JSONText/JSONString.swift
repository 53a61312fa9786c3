/// A JSON string, a member's name among them: as its source wrote it, and decoded.
public struct JSONString: Hashable, Sendable {
    /// The text of the source, with quotes and escapes.
    public let text: ArraySlice<UInt8>
    /// The characters, UTF-8; a part of `text` if there are no escapes.
    public let utf8: ArraySlice<UInt8>

    /// Makes a string from valid text, quotes included; nothing is checked. O(bytes).
    public init(trusted text: ArraySlice<UInt8>) {
        let content = text.dropFirst().dropLast()
        self.init(text: text, hasEscapes: content.contains(UInt8(ascii: "\\")))
    }

    /// Makes a string from valid text of which it is known whether it has escapes.
    init(text: ArraySlice<UInt8>, hasEscapes: Bool) {
        self.text = text
        let content = text.dropFirst().dropLast()
        utf8 = hasEscapes ? Self.decoded(content)[...] : content
    }

    /// Whether the characters are those of `name`, byte for byte.
    public func equals(_ name: String) -> Bool {
        utf8.count == name.utf8.count && utf8.elementsEqual(name.utf8)
    }

    /// The characters as a Swift string.
    public var string: String { String(decoding: utf8, as: UTF8.self) }

    /// Resolves the escapes of valid text without its quotes.
    static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(content.count)
        var rest = content
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            output.append(contentsOf: rest[..<backslash])
            let escape = rest[backslash + 1]
            rest = rest[(backslash + 2)...]
            switch escape {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = hexadecimal(rest.prefix(4))
                rest = rest.dropFirst(4)
                if (0xD800..<0xDC00).contains(scalar) {
                    let low = hexadecimal(rest.dropFirst(2).prefix(4))
                    rest = rest.dropFirst(6)
                    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low & 0x3FF)
                }
                appendUTF8(scalar, to: &output)
            default: output.append(escape)
            }
        }
        output.append(contentsOf: rest)
        return output
    }

    /// The value of a hexadecimal digit; `nil` for another byte.
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32 {
        digits.reduce(0) { $0 << 4 | (digit($1) ?? 0) }
    }

    private static func appendUTF8(_ scalar: UInt32, to output: inout [UInt8]) {
        switch scalar {
        case ..<0x80:
            output.append(UInt8(scalar))
        case ..<0x800:
            output.append(0xC0 | UInt8(scalar >> 6))
            output.append(0x80 | UInt8(scalar & 0x3F))
        case ..<0x10000:
            output.append(0xE0 | UInt8(scalar >> 12))
            output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            output.append(0x80 | UInt8(scalar & 0x3F))
        default:
            output.append(0xF0 | UInt8(scalar >> 18 & 0x07))
            output.append(0x80 | UInt8(scalar >> 12 & 0x3F))
            output.append(0x80 | UInt8(scalar >> 6 & 0x3F))
            output.append(0x80 | UInt8(scalar & 0x3F))
        }
    }
}
