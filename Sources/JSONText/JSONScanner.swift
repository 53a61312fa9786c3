/// A strict pull scanner for one JSON text (RFC 8259).
///
/// The caller looks at the kind of the next value and reads it by the method for that kind; objects and arrays are
/// entered by `beginObject()` and `beginArray()` and read to their end by `nextMember()` and `nextElement()`, with one
/// value read for each. `finish()` checks that nothing follows.
/// Refused beyond the grammar: a member's name twice (decoded, so `"\u0069d"` is `"id"`), lone surrogates, bytes that
/// are no UTF-8, a byte order mark, and nesting deeper than `maximumDepth`. O(bytes) in all.
public struct JSONScanner: Sendable {
    let bytes: [UInt8]
    /// The next byte to read, from the start of the text.
    public internal(set) var offset = 0
    /// How many objects and arrays may stand inside each other; may be changed while scanning.
    public var maximumDepth: Int
    var names = MemberNames()
    /// For each object and array that is open whether nothing of it has been read.
    var isAtStart: [Bool] = []
    /// How many bytes of white space between tokens have been passed.
    var skippedSpace = 0

    /// Starts at the first byte of a text.
    public init(_ bytes: [UInt8], maximumDepth: Int = 64) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// How many objects and arrays are open.
    public var depth: Int { isAtStart.count }

    /// The kind of the next value, which is not read yet.
    public mutating func peek() throws(JSONSyntaxError) -> JSONKind {
        let byte = try nextByte()
        guard let kind = JSONKind(firstByte: byte) else { throw unexpected(byte) }
        return kind
    }

    /// Enters an object.
    public mutating func beginObject() throws(JSONSyntaxError) {
        try begin(UInt8(ascii: "{"), .object)
        names.begin()
    }

    /// The next member's name, its value to be read next; `nil` at the object's end, which is read.
    public mutating func nextMember() throws(JSONSyntaxError) -> JSONString? {
        guard let token = try nextName() else { return nil }
        return JSONString(text: bytes[token.start..<token.end], hasEscapes: token.hasEscapes)
    }

    /// Enters an array.
    public mutating func beginArray() throws(JSONSyntaxError) {
        try begin(UInt8(ascii: "["), .array)
    }

    /// Whether there is a next element, to be read next; false at the array's end, which is read.
    public mutating func nextElement() throws(JSONSyntaxError) -> Bool {
        try nextInContainer(end: UInt8(ascii: "]"))
    }

    /// Reads a string.
    public mutating func string() throws(JSONSyntaxError) -> JSONString {
        try expect(.string)
        let token = try scanString()
        return JSONString(text: bytes[token.start..<token.end], hasEscapes: token.hasEscapes)
    }

    /// Reads a number and returns its text.
    public mutating func number() throws(JSONSyntaxError) -> ArraySlice<UInt8> {
        try expect(.number)
        let start = offset
        try scanNumber()
        return bytes[start..<offset]
    }

    /// Reads `true` or `false`.
    public mutating func bool() throws(JSONSyntaxError) -> Bool {
        try expect(.bool)
        if bytes[offset] == UInt8(ascii: "t") {
            try scanLiteral("true")
            return true
        }
        try scanLiteral("false")
        return false
    }

    /// Reads `null`.
    public mutating func null() throws(JSONSyntaxError) {
        try expect(.null)
        try scanLiteral("null")
    }

    /// Reads a value of any kind and drops it.
    public mutating func skipValue() throws(JSONSyntaxError) {
        switch try peek() {
        case .object:
            try beginObject()
            while try nextName() != nil { try skipValue() }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .string: _ = try scanString()
        case .number: try scanNumber()
        case .bool: _ = try bool()
        case .null: try scanLiteral("null")
        }
    }

    /// Reads a value of any kind and appends its compact text: escapes and numbers as they are, without white space
    /// between tokens.
    public mutating func copyValue(to output: inout [UInt8]) throws(JSONSyntaxError) {
        _ = try nextByte()
        let start = offset
        let spaceBefore = skippedSpace
        try skipValue()
        if skippedSpace == spaceBefore {
            output.append(contentsOf: bytes[start..<offset])
        } else {
            appendCompact(start..<offset, to: &output)
        }
    }

    /// Reads an object and returns its members as compact text.
    public mutating func members() throws(JSONSyntaxError) -> JSONMembers {
        try expect(.object)
        var text: [UInt8] = []
        try copyValue(to: &text)
        return JSONMembers(trusted: Array(text[1..<(text.count - 1)]))
    }

    /// Reads the members that are left of the object which is open innermost, and its end, and returns them as compact
    /// text: a part of the source, not a copy, if there is no white space between their tokens.
    public mutating func remainingMembers() throws(JSONSyntaxError) -> ArraySlice<UInt8> {
        guard let first = try nextName() else { return [] }
        let spaceBefore = skippedSpace
        try skipValue()
        var end = offset
        while try nextName() != nil {
            try skipValue()
            end = offset
        }
        // What stands between the first name and its colon was passed before the count was taken.
        if skippedSpace == spaceBefore, bytes[first.end] == UInt8(ascii: ":") { return bytes[first.start..<end] }
        var text: [UInt8] = []
        appendCompact(first.start..<end, to: &text)
        return text[...]
    }

    /// Checks that nothing but white space follows.
    public mutating func finish() throws(JSONSyntaxError) {
        skipSpace()
        if offset < bytes.count {
            throw JSONSyntaxError(.trailingBytes, at: offset, message: "something stands behind the JSON value")
        }
    }

    /// Checks that bytes are one JSON text.
    public static func validate(_ bytes: [UInt8], maximumDepth: Int = 64) throws(JSONSyntaxError) {
        var scanner = JSONScanner(bytes, maximumDepth: maximumDepth)
        try scanner.skipValue()
        try scanner.finish()
    }
}
