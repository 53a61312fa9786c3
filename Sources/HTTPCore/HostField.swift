/// The value of Host, and the authority of an absolute target (RFC 9110, 7.2 and RFC 3986, 3.2).
enum HostField {
    /// Whether a range of bytes is a host with an optional port, and nothing else (no user).
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        let end = range.upperBound
        if index < end, bytes[index] == UInt8(ascii: "[") {
            index += 1
            let start = index
            while index < end, isOfIPv6(bytes[index]) { index += 1 }
            guard index > start, index < end, bytes[index] == UInt8(ascii: "]") else { return false }
            index += 1
        } else {
            let start = index
            while index < end, bytes[index] != UInt8(ascii: ":") {
                if bytes[index] == UInt8(ascii: "%") {
                    guard index + 2 < end, ByteClass.hexValue(bytes[index + 1]) != nil,
                        ByteClass.hexValue(bytes[index + 2]) != nil
                    else { return false }
                    index += 3
                } else {
                    guard ByteClass.isRegisteredName(bytes[index]) else { return false }
                    index += 1
                }
            }
            guard index > start else { return false }
        }
        guard index < end else { return true }
        guard bytes[index] == UInt8(ascii: ":"), end - index <= 6 else { return false }
        index += 1
        while index < end, ByteClass.isDigit(bytes[index]) { index += 1 }
        return index == end
    }

    private static func isOfIPv6(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || ByteClass.hexValue(byte) != nil
    }
}
