import HTTPCore

/// A text of others in a line of a log: whatever it holds, it ends neither the field nor the line, and does nothing to a
/// terminal that shows it.
enum LogField {
    /// How much of a text is shown by default, in bytes; `…` stands for the rest.
    static let mostBytes = 256

    /// Appends a text without blanks: control characters, blanks, `"`, `\` and what is not ASCII become `\xHH` for each byte.
    /// An empty one is `-`, and that one `\x2D`. O(shown bytes).
    static func appendPlain(_ text: Span<UInt8>, most: Int = mostBytes, to line: inout [UInt8]) {
        if text.isEmpty {
            line.append("-")
        } else if text.count == 1, text[0] == UInt8(ascii: "-") {
            line.append("\\x2D")
        } else if isHarmless(text, most) {
            line.append(text)
        } else {
            appendShown(text, most, to: &line) { index, line in
                let byte = text[index]
                if byte == UInt8(ascii: " ") || !isPlain(byte) {
                    line.append("\\x")
                    line.append(digit(byte >> 4))
                    line.append(digit(byte & 15))
                } else {
                    line.append(byte)
                }
                return index + 1
            }
        }
    }

    /// Appends a text, which is UTF-8, as a JSON string, in ASCII but for `…`; an empty one as null. O(shown bytes).
    static func appendJSON(_ text: Span<UInt8>, most: Int = mostBytes, to line: inout [UInt8]) {
        if text.isEmpty {
            line.append("null")
            return
        }
        line.append("\"")
        if isHarmless(text, most) {
            line.append(text)
        } else {
            appendShown(text, most, to: &line) { index, line in
                let byte = text[index]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    line.append("\\")
                    line.append(byte)
                } else if isPlain(byte) {
                    line.append(byte)
                } else {
                    let (scalar, end) = scalar(in: text, at: index)
                    if scalar < 0x1_0000 {
                        append(unit: scalar, to: &line)
                    } else {
                        append(unit: 0xD800 + (scalar - 0x1_0000) >> 10, to: &line)
                        append(unit: 0xDC00 + (scalar - 0x1_0000) & 0x3FF, to: &line)
                    }
                    return end
                }
                return index + 1
            }
        }
        line.append("\"")
    }

    /// Whether a text is shown as it is: all of it, and nothing in it is escaped or may be a token.
    private static func isHarmless(_ text: Span<UInt8>, _ most: Int) -> Bool {
        guard text.count <= most else { return false }
        var last: UInt8 = 0
        for index in text.indices {
            let byte = text[index]
            guard isPlain(byte), byte != UInt8(ascii: " "), byte != UInt8(ascii: "%"),
                byte != UInt8(ascii: "_") || last != UInt8(ascii: "y")
            else { return false }
            last = byte
        }
        return true
    }

    /// Whether a character stands for itself in a JSON string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Appends what is shown of a text, character by character, and `…` for the secret of a token, and for what is too long.
    ///
    /// - Parameter append: appends the character at an index and returns where the next is.
    private static func appendShown(
        _ text: Span<UInt8>, _ most: Int, to line: inout [UInt8], _ append: (Int, inout [UInt8]) -> Int
    ) {
        var secrets = secrets(in: text, most)[...]
        var index = 0
        while index < text.count, index < most {
            if let secret = secrets.first, secret.lowerBound <= index {
                secrets.removeFirst()
                line.append("…")
                index = secret.upperBound
            } else {
                index = append(index, &line)
            }
        }
        if index < text.count { line.append("…") }
    }

    private static let prefix = Array("medley_".utf8)
    private static let idLength = 12

    /// Where the secrets of tokens stand in what is shown of a text, in order: also those of tokens of which anything is
    /// percent-encoded, however often. O(shown bytes).
    private static func secrets(in text: Span<UInt8>, _ most: Int) -> [Range<Int>] {
        let end = min(text.count, most)
        guard (0..<end).contains(where: { text[$0] == UInt8(ascii: "_") || text[$0] == UInt8(ascii: "%") }) else {
            return []
        }
        // The text decoded to the last, and where in it each byte begins.
        var decoded: [UInt8] = []
        var starts: [Int] = []
        for index in 0..<end {
            decoded.append(text[index])
            starts.append(index)
            while let byte = encoded(atEndOf: decoded) {
                decoded.removeLast(3)
                decoded.append(byte)
                starts.removeLast(2)
            }
        }
        var found: [Range<Int>] = []
        var place = 0
        while place < decoded.count {
            guard let first = startOfSecret(decoded, at: place) else {
                place += 1
                continue
            }
            place = first
            // The name of another token may follow, whose secret is one too.
            while place < decoded.count, isAlphanumeric(decoded[place]) || decoded[place] == UInt8(ascii: "_") {
                place += 1
            }
            // What is too long goes on unseen.
            if place > first { found.append(starts[first]..<(place < decoded.count ? starts[place] : text.count)) }
        }
        return found
    }

    /// The byte that the last three stand for, percent-encoded; `nil` if they do not.
    private static func encoded(atEndOf bytes: [UInt8]) -> UInt8? {
        guard bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "%"),
            let high = hexValue(bytes[bytes.count - 2]), let low = hexValue(bytes[bytes.count - 1])
        else { return nil }
        return high << 4 | low
    }

    /// Where the secret of a token begins, or would, that begins at an index; `nil` if none does.
    private static func startOfSecret(_ text: [UInt8], at index: Int) -> Int? {
        let end = index + prefix.count + idLength
        guard text[index] == prefix[0], end < text.count, text[end] == UInt8(ascii: "_"),
            text[index..<index + prefix.count].elementsEqual(prefix),
            text[index + prefix.count..<end].allSatisfy(isAlphanumeric)
        else { return nil }
        return end + 1
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The scalar at an index of UTF-8, and where the next one is.
    private static func scalar(in text: Span<UInt8>, at index: Int) -> (value: Int, end: Int) {
        let first = Int(text[index])
        let count = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = count == 1 ? first : first & (0x7F >> count)
        for place in index + 1..<max(index + 1, min(index + count, text.count)) {
            value = value << 6 | Int(text[place] & 0x3F)
        }
        return (value, index + count)
    }

    private static func append(unit: Int, to line: inout [UInt8]) {
        line.append("\\u")
        for shift in [12, 8, 4, 0] { line.append(digit(UInt8(unit >> shift & 15))) }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
