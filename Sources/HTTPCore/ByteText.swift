/// Appending text as bytes without going through a character at a time.
extension [UInt8] {
    /// Appends a literal.
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        unsafe append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a text's UTF-8.
    @inline(__always)
    package mutating func append(text: String) {
        unsafe text.utf8Span.span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends a number from 0 on in decimal.
    package mutating func append(decimal number: Int) {
        precondition(number >= 0, "a count")
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Appends the eight bytes of a word in their order in memory on a little-endian machine.
    mutating func append(word: UInt64) {
        unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends a number in hexadecimal.
    mutating func append(hexadecimal number: Int) {
        precondition(number >= 0, "a count")
        if number >= 16 { append(hexadecimal: number / 16) }
        let digit = UInt8(number % 16)
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
}

extension [UInt8] {
    /// Appends bytes that another holds.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
