/// Splits comma-separated text (RFC 4180) into rows of cells, without knowing what they mean.
///
/// A row ends with CRLF, LF or CR, mixed as they may be; a quoted cell may hold any of them. A quote within an
/// unquoted cell is text.
struct CSVParser {
    /// A row as it was read.
    struct Row: Hashable, Sendable {
        /// The line, from 1, on which the row begins.
        var line: Int
        /// The cells, unquoted.
        var cells: [[UInt8]]
        /// What is wrong with the row, if something is.
        var problem: String?

        /// Whether there is nothing between two line ends.
        var isBlank: Bool { cells.count == 1 && cells[0].isEmpty && problem == nil }
    }

    private(set) var bytes: ByteReader
    private var line = 1
    private let separator: UInt8

    init(_ bytes: ByteReader, separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
    }

    /// The next row; `nil` at the end. O(bytes of the row).
    mutating func next() throws(FormatError) -> Row? {
        guard try bytes.peek() != nil else { return nil }
        let start = bytes.offset
        var row = Row(line: line, cells: [], problem: nil)
        var hasMore = true
        while hasMore {
            var cell: [UInt8] = []
            if try bytes.peek() == UInt8(ascii: "\"") {
                bytes.skip(1)
                hasMore = try quotedCell(&cell, &row, from: start)
            } else {
                hasMore = try unquotedCell(&cell, &row, from: start)
            }
            row.cells.append(cell)
        }
        return row
    }

    /// Reads a cell up to its end; returns whether another follows in the row.
    private mutating func unquotedCell(
        _ cell: inout [UInt8], _ row: inout Row, from start: Int
    ) throws(FormatError) -> Bool {
        while let byte = try bytes.next() {
            if byte == separator { return true }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                try endLine(byte)
                return false
            }
            if byte == 0 { row.problem = "a NUL byte" }
            cell.append(byte)
            try check(row, from: start)
        }
        return false
    }

    /// Reads a cell behind its opening quote; returns whether another follows in the row.
    private mutating func quotedCell(
        _ cell: inout [UInt8], _ row: inout Row, from start: Int
    ) throws(FormatError) -> Bool {
        let opened = line
        while let byte = try bytes.next() {
            guard byte == UInt8(ascii: "\"") else {
                if byte == 0 { row.problem = "a NUL byte" }
                cell.append(byte)
                if byte == UInt8(ascii: "\n") {
                    line += 1
                } else if byte == UInt8(ascii: "\r"), try bytes.peek() != UInt8(ascii: "\n") {
                    line += 1
                }
                try check(row, from: start)
                continue
            }
            switch try bytes.peek() {
            case UInt8(ascii: "\""):
                bytes.skip(1)
                cell.append(byte)
            case nil, separator, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return try unquotedCell(&cell, &row, from: start)
            default:
                row.problem = "text after a closing quote"
                return try unquotedCell(&cell, &row, from: start)
            }
        }
        row.problem = "the quote opened on line \(opened) is never closed; everything after it is part of this row"
        return false
    }

    private mutating func endLine(_ byte: UInt8) throws(FormatError) {
        line += 1
        if byte == UInt8(ascii: "\r"), try bytes.peek() == UInt8(ascii: "\n") { bytes.skip(1) }
    }

    private func check(_ row: Row, from start: Int) throws(FormatError) {
        // A quote that is never closed would take in the rest of the file.
        if bytes.offset - start > ImportedRecord.byteLimit {
            throw FormatError(
                .tooLarge, "the row has more than \(ImportedRecord.byteLimit >> 20) MiB; is a quote not closed?",
                line: row.line)
        }
    }
}
