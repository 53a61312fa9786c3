/// Reads a table of comma-separated values (RFC 4180, UTF-8) whose first row names the columns.
///
/// A row with other cells than the header has columns is refused with its line, save that surplus empty ones do no
/// harm; blank lines are skipped. A column without a name, or with another's, gets one of its own and a notice.
public struct CSVReader: RecordReader {
    private var parser: CSVParser
    private let names: [[UInt8]]
    private let nameTexts: [[UInt8]]
    private var notices: [ImportNotice]

    /// The columns' names.
    public var columns: [[UInt8]]? { names }

    /// The number of bytes read so far.
    public var bytesRead: Int { parser.bytes.offset }

    /// Reads the header.
    ///
    /// Throws `empty` if there is none, `malformed` or `notUTF8` if it cannot be read.
    public init(_ bytes: ByteReader) throws(FormatError) {
        var bytes = bytes
        if try bytes.lookahead(3).prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) { bytes.skip(3) }
        parser = CSVParser(bytes)
        var header = try parser.next()
        while let row = header, row.isBlank { header = try parser.next() }
        guard let header else { throw FormatError(.empty, "the file is empty") }
        if let problem = header.problem {
            throw FormatError(.malformed, "the header cannot be read: \(problem)", line: header.line)
        }
        notices = []
        names = try Self.names(of: header, &notices)
        nameTexts = names.map { $0.jsonString }
    }

    /// The next row as a record.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        if !notices.isEmpty { return .notice(notices.removeFirst()) }
        while let row = try parser.next() {
            if row.isBlank { continue }
            if let problem = problem(of: row) {
                return .refusal(ImportRefusal(line: row.line, reason: problem))
            }
            var fields: [ImportedRecord.Field] = []
            for (index, cell) in row.cells.prefix(names.count).enumerated() where !cell.isEmpty {
                fields.append(.init(name: names[index], nameText: nameTexts[index], value: .text(cell)))
            }
            if fields.isEmpty {
                return .notice(ImportNotice(line: row.line, message: "a row whose cells are all empty was skipped"))
            }
            return .record(ImportedRecord(line: row.line, fields: fields))
        }
        return nil
    }

    private func problem(of row: CSVParser.Row) -> String? {
        if let problem = row.problem { return problem }
        if row.cells.count < names.count || !row.cells.dropFirst(names.count).allSatisfy(\.isEmpty) {
            return "\(count(row.cells.count, "cell")) where the header has \(count(names.count, "column"))"
        }
        for (index, cell) in row.cells.enumerated() where !cell.isUTF8 {
            return "the cell in column \"\(String(decoding: names[index], as: UTF8.self))\" is not UTF-8"
        }
        return nil
    }

    private func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private static func names(
        of header: CSVParser.Row, _ notices: inout [ImportNotice]
    ) throws(FormatError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var used: Set<[UInt8]> = []
        var taken = Set(header.cells)
        for (index, cell) in header.cells.enumerated() {
            guard cell.isUTF8 else {
                throw FormatError(
                    .notUTF8, "the header is not UTF-8; convert the file first (iconv -t UTF-8)", line: header.line)
            }
            if !cell.isEmpty, used.insert(cell).inserted {
                names.append(cell)
                continue
            }
            let wanted = cell.isEmpty ? Array("column-\(index + 1)".utf8) : cell + Array("-2".utf8)
            var name = wanted
            var number = 2
            while taken.contains(name) {
                number += 1
                name = (cell.isEmpty ? wanted : cell) + Array("-\(number)".utf8)
            }
            taken.insert(name)
            names.append(name)
            let column = cell.isEmpty ? "has no name" : "is another \"\(String(decoding: cell, as: UTF8.self))\""
            notices.append(
                ImportNotice(
                    line: header.line,
                    message: "column \(index + 1) \(column); it is kept as \"\(String(decoding: name, as: UTF8.self))\""
                ))
        }
        if names.count == 1, let foreign = names[0].first(where: { $0 == UInt8(ascii: ";") || $0 == 0x09 }) {
            let separator = foreign == 0x09 ? "tabs" : "semicolons"
            throw FormatError(
                .malformed, "the cells are separated by \(separator), not commas; convert the table first",
                line: header.line)
        }
        return names
    }
}
