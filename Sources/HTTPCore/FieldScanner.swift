/// Reads the pieces that structured header field values are made of: tokens, quoted strings, lists (RFC 9110, 5.6).
struct FieldScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    /// The next byte without taking it.
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Passes over blanks.
    mutating func skipBlanks() {
        while let byte = peek, ByteClass.isBlank(byte) { index += 1 }
    }

    /// Takes a byte if it is next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    /// Takes a token; `nil` if there is none.
    mutating func token() -> String? {
        let start = index
        while let byte = peek, ByteClass.isToken(byte) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Takes a quoted string, its escapes undone; `nil` if there is none or it does not end.
    mutating func quotedString() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = peek else { return nil }
                text.append(escaped)
                index += 1
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Takes the opaque part of an entity tag, without its quotes; nothing is escaped in it (RFC 9110, 8.8.3).
    mutating func opaqueTag() -> String? {
        guard take("\"") else { return nil }
        let start = index
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte > 0x20, byte != 0x7F else { return nil }
            index += 1
        }
        guard peek != nil else { return nil }
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Takes `;name=value` pairs, names in lower case; `nil` if one is malformed. An empty one is passed over.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while true {
            skipBlanks()
            guard take(";") else { return parameters }
            skipBlanks()
            guard let name = token() else { continue }
            var value = ""
            if take("=") {
                guard let found = peek == UInt8(ascii: "\"") ? quotedString() : token() else { return nil }
                value = found
            }
            parameters.append((name.lowercased(), value))
        }
    }

    /// Goes on behind the next comma that is not in quotes; `false` at the end.
    mutating func skipToNextElement() -> Bool {
        while let byte = peek {
            if byte == UInt8(ascii: "\"") {
                guard quotedString() != nil else { return false }
                continue
            }
            index += 1
            if byte == UInt8(ascii: ",") { return true }
        }
        return false
    }
}
