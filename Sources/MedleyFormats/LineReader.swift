/// Cuts text into lines that end with LF, CRLF or CR, mixed as they may be, in the memory of one line.
struct LineReader {
    /// A line without its end.
    struct Line: Hashable, Sendable {
        /// Which line it is, from 1.
        var number: Int
        /// What it says as UTF-8, without white space at both ends; empty if it was too long.
        var text: [UInt8] = []
        /// Whether it has more bytes than it may; then none of them is kept but the first.
        var isTooLong = false
        /// The first byte that is no white space.
        var first: UInt8?
        /// Whether its bytes were no UTF-8 and have been read as Windows-1252.
        var wasRecoded = false

        /// Why the line cannot be read, if it cannot.
        var problem: String? {
            if isTooLong { return "the line has more than \(LineReader.limit >> 20) MiB" }
            return text.contains(0) ? "a NUL byte" : nil
        }
    }

    /// The most bytes of a line.
    static let limit = 1 << 20

    private(set) var bytes: ByteReader
    private let limit: Int
    private var number = 0

    /// Starts at the first line; what is said of a line that is too long is for the usual limit.
    init(_ bytes: ByteReader, limit: Int = LineReader.limit) {
        self.bytes = bytes
        self.limit = limit
    }

    /// The next line; `nil` at the end. O(bytes of the line).
    mutating func next() throws(FormatError) -> Line? {
        guard try bytes.peek() != nil else { return nil }
        number += 1
        var line = Line(number: number)
        while try take(&line) {}
        if !line.text.isUTF8 {
            line.text = Windows1252.decoded(line.text)
            line.wasRecoded = true
        }
        line.text = line.text.trimmed
        return line
    }

    /// Adds what has been read of the file to the line; returns whether the line goes on behind it.
    private mutating func take(_ line: inout Line) throws(FormatError) -> Bool {
        let ahead = try bytes.lookahead(1)
        guard !ahead.isEmpty else { return false }
        let end = ahead.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let piece = ahead[..<(end ?? ahead.endIndex)]
        if line.first == nil { line.first = piece.first { $0 != 0x20 && $0 != 0x09 } }
        if line.isTooLong || line.text.count + piece.count > limit {
            line.isTooLong = true
            line.text = []
        } else {
            line.text += piece
        }
        bytes.skip(piece.count)
        guard end != nil else { return true }
        if try bytes.next() == UInt8(ascii: "\r"), try bytes.peek() == UInt8(ascii: "\n") { bytes.skip(1) }
        return false
    }
}
