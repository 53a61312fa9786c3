/// Finds the end of a run of bytes that need no look of their own, eight bytes at a step.
enum ByteRun {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The offset of the first quote, backslash, control character or byte over 0x7F from `start` on, or `end`.
    static func endOfPlainASCII(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int {
        firstByte(in: bytes, from: start, upTo: end, stops: highs)
    }

    /// The offset of the first quote, backslash or control character from `start` on, or `end`.
    static func endOfUnescaped(in bytes: [UInt8], from start: Int, upTo end: Int) -> Int {
        firstByte(in: bytes, from: start, upTo: end, stops: 0)
    }

    @inline(__always)
    private static func firstByte(in bytes: [UInt8], from start: Int, upTo end: Int, stops highStops: UInt64) -> Int {
        precondition(start >= 0 && end <= bytes.count)
        return unsafe bytes.withUnsafeBytes { raw in
            var offset = start
            while offset + 8 <= end {
                let word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let mask = special(word) | (word & highStops)
                // A borrow can only flag bytes above one that is flagged rightly, so the lowest flag is exact.
                if mask != 0 { return offset + mask.trailingZeroBitCount / 8 }
                offset += 8
            }
            while offset < end {
                let byte = unsafe raw[offset]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return offset }
                if highStops != 0 && byte >= 0x80 { return offset }
                offset += 1
            }
            return offset
        }
    }

    /// The top bit of each byte that is a quote, a backslash or a control character.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let control = (word &- (ones &* 0x20)) & ~word
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highs
    }
}
