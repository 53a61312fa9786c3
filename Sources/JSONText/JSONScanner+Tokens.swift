extension JSONScanner {
    /// A string in the text, quotes included.
    struct StringToken {
        let start: Int
        let end: Int
        let hasEscapes: Bool
    }

    /// Passes white space and returns the byte behind it, which is not read yet.
    @inline(__always)
    mutating func nextByte() throws(JSONSyntaxError) -> UInt8 {
        if offset < bytes.count {
            let byte = bytes[offset]
            if byte > 0x20 { return byte }
        }
        skipSpace()
        guard offset < bytes.count else { throw unexpectedEnd() }
        return bytes[offset]
    }

    /// Passes white space.
    mutating func skipSpace() {
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            offset += 1
        }
        skippedSpace += offset - start
    }

    /// Checks that the next value is of a kind.
    mutating func expect(_ kind: JSONKind) throws(JSONSyntaxError) {
        let found = try peek()
        if found != kind {
            throw JSONSyntaxError(
                .wrongKind, at: offset, message: "\(kind.rawValue) expected, \(found.rawValue) found")
        }
    }

    /// Enters an object or array.
    mutating func begin(_ bracket: UInt8, _ kind: JSONKind) throws(JSONSyntaxError) {
        if try nextByte() != bracket { try expect(kind) }
        if isAtStart.count >= maximumDepth {
            throw JSONSyntaxError(.tooDeep, at: offset, message: "objects and arrays are nested too deeply")
        }
        isAtStart.append(true)
        offset += 1
    }

    /// Reads the comma before a member or element, or the bracket that ends them, where it returns false.
    @inline(__always)
    mutating func nextInContainer(end: UInt8) throws(JSONSyntaxError) -> Bool {
        precondition(!isAtStart.isEmpty, "no object or array is open")
        let byte = try nextByte()
        if byte == end {
            offset += 1
            isAtStart.removeLast()
            return false
        }
        if isAtStart[isAtStart.count - 1] {
            isAtStart[isAtStart.count - 1] = false
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected(byte) }
        offset += 1
        let next = try nextByte()
        if next == end { throw unexpected(next) }
        return true
    }

    /// Reads a member's name and colon; `nil` at the object's end, which is read.
    mutating func nextName() throws(JSONSyntaxError) -> StringToken? {
        guard try nextInContainer(end: UInt8(ascii: "}")) else {
            names.end()
            return nil
        }
        let quote = try nextByte()
        guard quote == UInt8(ascii: "\"") else { throw unexpected(quote) }
        let token = try scanString()
        let content = (token.start + 1)..<(token.end - 1)
        guard names.insert(bytes, content, hasEscapes: token.hasEscapes) else {
            throw JSONSyntaxError(.duplicateName, at: token.start, message: "a member's name stands twice")
        }
        let colon = try nextByte()
        guard colon == UInt8(ascii: ":") else { throw unexpected(colon) }
        offset += 1
        return token
    }

    /// Reads a string whose opening quote is the next byte.
    mutating func scanString() throws(JSONSyntaxError) -> StringToken {
        let start = offset
        var hasEscapes = false
        offset += 1
        while true {
            offset = ByteRun.endOfPlainASCII(in: bytes, from: offset, upTo: bytes.count)
            guard offset < bytes.count else { throw unexpectedEnd() }
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset += 1
                return StringToken(start: start, end: offset, hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try scanEscape()
            } else if byte < 0x20 {
                throw JSONSyntaxError(
                    .controlCharacter, at: offset, message: "a control character in a string is not escaped")
            } else {
                try scanMultibyte()
            }
        }
    }

    /// Reads an escape whose backslash is the next byte.
    private mutating func scanEscape() throws(JSONSyntaxError) {
        let start = offset
        guard offset + 1 < bytes.count else { throw unexpectedEnd(at: bytes.count) }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            let unit = try scanUnit()
            guard (0xD800..<0xE000).contains(unit) else { return }
            guard unit < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
                bytes[offset + 1] == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try scanUnit())
            else {
                throw JSONSyntaxError(
                    .loneSurrogate, at: start, message: "an escaped surrogate stands without its other half")
            }
        default: throw invalidEscape(at: start)
        }
    }

    /// Reads `\u` and four hexadecimal digits, and returns the code unit.
    private mutating func scanUnit() throws(JSONSyntaxError) -> UInt32 {
        let start = offset
        var unit: UInt32 = 0
        for position in (start + 2)..<(start + 6) {
            guard position < bytes.count else { throw unexpectedEnd(at: bytes.count) }
            guard let digit = JSONString.digit(bytes[position]) else { throw invalidEscape(at: start) }
            unit = unit << 4 | digit
        }
        offset = start + 6
        return unit
    }

    /// Reads characters over U+007F, as many as stand together (the ranges of RFC 3629, section 4).
    private mutating func scanMultibyte() throws(JSONSyntaxError) {
        while offset < bytes.count, bytes[offset] >= 0x80 {
            let first = bytes[offset]
            let second = offset + 1 < bytes.count ? bytes[offset + 1] : 0
            let length: Int
            switch first {
            case 0xC2...0xDF where isContinuation(second): length = 2
            case 0xE0 where (0xA0...0xBF).contains(second): length = 3
            case 0xE1...0xEC where isContinuation(second): length = 3
            case 0xED where (0x80...0x9F).contains(second): length = 3
            case 0xEE...0xEF where isContinuation(second): length = 3
            case 0xF0 where (0x90...0xBF).contains(second): length = 4
            case 0xF1...0xF3 where isContinuation(second): length = 4
            case 0xF4 where (0x80...0x8F).contains(second): length = 4
            default: throw invalidUTF8()
            }
            guard offset + length <= bytes.count else { throw invalidUTF8() }
            if length > 2, !isContinuation(bytes[offset + 2]) { throw invalidUTF8() }
            if length > 3, !isContinuation(bytes[offset + 3]) { throw invalidUTF8() }
            offset += length
        }
    }

    @inline(__always)
    private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Reads a number whose first byte, a minus or a digit, is the next one.
    mutating func scanNumber() throws(JSONSyntaxError) {
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset += 1
            if isDigit(at: offset) { throw invalidNumber("a number begins with a superfluous zero") }
        } else {
            try scanDigits()
        }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try scanDigits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try scanDigits()
        }
    }

    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard isDigit(at: offset) else {
            guard offset < bytes.count else { throw unexpectedEnd() }
            throw invalidNumber("a digit is missing in a number")
        }
        while isDigit(at: offset) { offset += 1 }
    }

    @inline(__always)
    private func isDigit(at offset: Int) -> Bool {
        offset < bytes.count && bytes[offset] &- UInt8(ascii: "0") < 10
    }

    /// Reads a literal whose first byte is the next one.
    mutating func scanLiteral(_ literal: String) throws(JSONSyntaxError) {
        for expected in literal.utf8 {
            guard offset < bytes.count else { throw unexpectedEnd() }
            guard bytes[offset] == expected else { throw unexpected(bytes[offset]) }
            offset += 1
        }
    }

    /// Appends a value's text that has been scanned, without white space between tokens.
    func appendCompact(_ range: Range<Int>, to output: inout [UInt8]) {
        var runStart = range.lowerBound
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position = endOfScannedString(from: position, upTo: range.upperBound)
            } else if byte <= 0x20 {
                output.append(contentsOf: bytes[runStart..<position])
                repeat { position += 1 } while position < range.upperBound && bytes[position] <= 0x20
                runStart = position
            } else {
                position += 1
            }
        }
        output.append(contentsOf: bytes[runStart..<range.upperBound])
    }

    private func endOfScannedString(from start: Int, upTo end: Int) -> Int {
        var position = ByteRun.endOfUnescaped(in: bytes, from: start + 1, upTo: end)
        while bytes[position] == UInt8(ascii: "\\") {
            position = ByteRun.endOfUnescaped(in: bytes, from: position + 2, upTo: end)
        }
        return position + 1
    }
}
