/// Appends XML 1.0 text.
enum XMLText {
    /// Appends character data or an attribute's value, escaped. Characters that XML does not allow are left out, and
    /// line ends are kept from being changed by a reader. O(bytes).
    static func append(_ text: [UInt8], isAttribute: Bool = false, to output: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let plain = text[index...].prefix { $0 >= 0x20 && $0 != 0xEF && !isMarkup($0) }
            output += plain
            index += plain.count
            guard index < text.count else { return }
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&"): output += Array("&amp;".utf8)
            case UInt8(ascii: "<"): output += Array("&lt;".utf8)
            case UInt8(ascii: ">"): output += Array("&gt;".utf8)
            case UInt8(ascii: "\"") where isAttribute: output += Array("&quot;".utf8)
            case 0x0D: output += Array("&#13;".utf8)
            case 0x09, 0x0A:
                if isAttribute { output += Array("&#\(byte);".utf8) } else { output.append(byte) }
            case ..<0x20: break
            case 0xEF where isNonCharacter(text, at: index - 1): index += 2
            default: output.append(byte)
            }
        }
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "\"")
    }

    /// Appends an element with text, on a line of its own; no text, no element.
    static func append(element name: String, _ text: [UInt8]?, to output: inout [UInt8]) {
        guard let text, !text.isEmpty else { return }
        output.append(UInt8(ascii: "<"))
        output += name.utf8
        output.append(UInt8(ascii: ">"))
        append(text, to: &output)
        output.append(token: "</")
        output += name.utf8
        output.append(token: ">\n")
    }

    /// Appends an attribute behind a space.
    static func append(attribute name: String, _ text: [UInt8], to output: inout [UInt8]) {
        output.append(0x20)
        output += name.utf8
        output.append(token: "=\"")
        append(text, isAttribute: true, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Whether an element holds the text as it is, even if a reader takes white space off its ends.
    static func holds(_ text: [UInt8]) -> Bool {
        text.trimmed.count == text.count && !text.isEmpty
            && !text.indices.contains { index in
                let byte = text[index]
                return byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0xEF && isNonCharacter(text, at: index)
            }
    }

    /// Whether U+FFFE or U+FFFF stands at an offset.
    static func isNonCharacter(_ text: [UInt8], at index: Int) -> Bool {
        index + 2 < text.count && text[index] == 0xEF && text[index + 1] == 0xBF
            && (text[index + 2] == 0xBE || text[index + 2] == 0xBF)
    }

    /// JSON text in which no character is left that XML does not allow.
    static func holdable(json text: [UInt8]) -> [UInt8] {
        guard text.indices.contains(where: { isNonCharacter(text, at: $0) }) else { return text }
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            if isNonCharacter(text, at: index) {
                output += Array((text[index + 2] == 0xBE ? "\\ufffe" : "\\uffff").utf8)
                index += 3
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }
}
