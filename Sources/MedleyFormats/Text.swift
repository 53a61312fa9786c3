import JSONText

extension UInt8 {
    /// Whether JSON allows the byte between tokens.
    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether the byte is `0`–`9`.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is `A`–`Z` or `a`–`z`.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension [UInt8] {
    /// Whether the bytes are valid UTF-8. O(bytes).
    var isUTF8: Bool { allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil }

    /// The bytes, UTF-8, as a JSON string with quotes.
    var jsonString: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(count + 2)
        JSONWriter.append(string: self, to: &text)
        return text
    }

    /// The bytes without white space at both ends.
    var trimmed: [UInt8] {
        guard let first = firstIndex(where: { !$0.isJSONSpace }), let last = lastIndex(where: { !$0.isJSONSpace })
        else { return [] }
        return Array(self[first...last])
    }

    /// Whether the bytes are a number as JSON writes it.
    var isJSONNumber: Bool {
        var rest = self[...]
        func digits() -> Int {
            let count = rest.prefix(while: \.isDigit).count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let integer = digits()
        guard integer == 1 || (integer > 1 && !startsWithZero) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
