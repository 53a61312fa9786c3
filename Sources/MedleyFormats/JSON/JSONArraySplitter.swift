/// Cuts a JSON array into its elements' bytes as they come, so that a file of any size is read in little memory.
///
/// It follows brackets and quotes only; whether an element is JSON is found out by whoever scans it, and one that is
/// not spoils no other.
struct JSONArraySplitter {
    /// An element's bytes, spaces around them removed.
    struct Element: Hashable, Sendable {
        /// The line, from 1, on which it begins.
        var line: Int
        /// The text; empty if nothing stands between two commas.
        var bytes: [UInt8]
    }

    private(set) var bytes: ByteReader
    private var line: Int
    private var state = State.before

    private enum State { case before, inside, after }

    init(_ bytes: ByteReader) {
        self.bytes = bytes
        line = 1
    }

    /// The next element; `nil` behind the last. O(bytes of the element).
    ///
    /// Throws `malformed` if the array does not end, or if something follows it.
    mutating func next() throws(FormatError) -> Element? {
        if state == .before {
            try skipSpace()
            guard try bytes.next() == UInt8(ascii: "[") else {
                throw FormatError(.malformed, "not a JSON array", line: line)
            }
            state = .inside
            try skipSpace()
            if try bytes.peek() == UInt8(ascii: "]") {
                bytes.skip(1)
                state = .after
            }
        }
        if state == .after {
            try skipSpace()
            guard try bytes.peek() == nil else {
                throw FormatError(.malformed, "something stands behind the JSON array; it was not read", line: line)
            }
            return nil
        }
        try skipSpace()
        return try element()
    }

    private mutating func element() throws(FormatError) -> Element {
        var element = Element(line: line, bytes: [])
        var depth = 0
        while let byte = try bytes.next() {
            if depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
                if byte == UInt8(ascii: "]") { state = .after }
                return element
            }
            element.bytes.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: "\""): try string(&element)
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            if element.bytes.count > ImportedRecord.byteLimit {
                throw FormatError(
                    .tooLarge, "the element has more than \(ImportedRecord.byteLimit >> 20) MiB", line: element.line)
            }
        }
        throw FormatError(
            .malformed, "the file ends inside the JSON array, in the element that begins here", line: element.line)
    }

    /// Takes the rest of a string behind its opening quote.
    private mutating func string(_ element: inout Element) throws(FormatError) {
        while let byte = try bytes.next() {
            element.bytes.append(byte)
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                if let escaped = try bytes.next() { element.bytes.append(escaped) }
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
            if element.bytes.count > ImportedRecord.byteLimit { return }
        }
    }

    private mutating func skipSpace() throws(FormatError) {
        while let byte = try bytes.peek(), byte.isJSONSpace {
            if byte == UInt8(ascii: "\n") { line += 1 }
            bytes.skip(1)
        }
    }
}
