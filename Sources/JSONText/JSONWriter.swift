/// Appends JSON tokens to a buffer.
public enum JSONWriter {
    /// Appends a string, quotes included, from valid UTF-8; only what JSON demands is escaped. O(bytes).
    public static func append(string utf8: [UInt8], to output: inout [UInt8]) {
        append(utf8, utf8.startIndex..<utf8.endIndex, to: &output)
    }

    /// Appends a string, quotes included, from valid UTF-8; only what JSON demands is escaped. O(bytes).
    public static func append(string utf8: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let bytes = Array(utf8)
        append(bytes, 0..<bytes.count, to: &output)
    }

    /// Appends a string, quotes included. O(bytes).
    public static func append(string: String, to output: inout [UInt8]) {
        let bytes = Array(string.utf8)
        append(bytes, 0..<bytes.count, to: &output)
    }

    /// Appends an integer.
    public static func append(integer: Int, to output: inout [UInt8]) {
        if integer < 0 { output.append(UInt8(ascii: "-")) }
        append(integer: UInt64(integer.magnitude), to: &output)
    }

    /// Appends an integer.
    public static func append(integer: UInt64, to output: inout [UInt8]) {
        let start = output.count
        var rest = integer
        repeat {
            output.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        output[start...].reverse()
    }

    /// Appends `true` or `false`.
    public static func append(bool: Bool, to output: inout [UInt8]) {
        append(token: bool ? "true" : "false", to: &output)
    }

    /// Appends text as it is: punctuation, literals, names that need no escape.
    public static func append(token: StaticString, to output: inout [UInt8]) {
        token.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
    }

    private static func append(_ bytes: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var offset = range.lowerBound
        while true {
            let end = ByteRun.endOfUnescaped(in: bytes, from: offset, upTo: range.upperBound)
            output.append(contentsOf: bytes[offset..<end])
            if end == range.upperBound { break }
            appendEscape(of: bytes[end], to: &output)
            offset = end + 1
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case ..<0x20:
            append(token: byte < 0x10 ? "u000" : "u001", to: &output)
            let low = byte & 0x0F
            output.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        default: output.append(byte)
        }
    }
}
