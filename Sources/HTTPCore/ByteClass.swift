/// The sets of bytes that HTTP's grammar speaks of, and scans for them.
enum ByteClass {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    /// `tchar` of RFC 9110, 5.6.2: what names and methods are made of. One bit a character.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        let low: UInt64 = 0x03FF_6CFA_0000_0000
        let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    /// `unreserved` and `sub-delims` of RFC 3986: what a host's name is made of, percent-encoding aside.
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            return true
        default:
            return false
        }
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    @inline(__always)
    static func lowered(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        let letter = lowered(byte) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }

    /// The first control character (below space, or DEL) in a range, or the range's end; eight bytes at a time.
    static func firstControl(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range of the bytes")
        return unsafe bytes.withUnsafeBytes { raw in
            var index = range.lowerBound
            // The last word may reach beyond the range as long as it stays within the bytes.
            while index < range.upperBound, index + 8 <= raw.count {
                let found = unsafe controls(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                if found != 0 { return min(index + found.trailingZeroBitCount / 8, range.upperBound) }
                index += 8
            }
            while index < range.upperBound {
                let byte = unsafe raw[index]
                if byte < 0x20 || byte == 0x7F { return index }
                index += 1
            }
            return range.upperBound
        }
    }

    /// The high bits of the control characters in a word in memory order; those above the lowest may be wrong.
    @inline(__always)
    private static func controls(_ loaded: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: loaded)
        let deletes = word ^ 0x7F7F_7F7F_7F7F_7F7F
        let below = (word &- 0x2020_2020_2020_2020) & ~word
        return (below | (deletes &- 0x0101_0101_0101_0101) & ~deletes) & 0x8080_8080_8080_8080
    }

    /// Whether a range of bytes is a word, ASCII case aside; the word is given in lower case.
    @inline(__always)
    static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count {
            // The pointer is to a literal and the index below its length.
            guard unsafe lowered(bytes[range.lowerBound + index]) == word.utf8Start[index] else { return false }
        }
        return true
    }

    /// The bytes of a range as text; what is not UTF-8 becomes replacement characters.
    @inline(__always)
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// A range without the blanks at its ends.
    @inline(__always)
    static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}
