import JSONText
import MedleyCore

/// Reads a table of values separated by commas (RFC 4180), semicolons or tabs, UTF-8, whose first row names the columns.
///
/// A table that was exported from here is known by its first columns, `id,type,liked,section,sectionTitle`: its
/// sections are taken for such, and the apostrophes that keep cells from being formulas are removed.
/// A row with other cells than the header has columns is refused with its line, save that surplus empty ones do no
/// harm; blank lines are skipped. A column without a name, or with another's, gets one of its own and a notice.
public struct CSVReader: RecordReader {
    /// The most columns; each costs memory as long as the file is read.
    static let columnLimit = 10_000

    private var parser: CSVParser
    private let names: [[UInt8]]
    private let nameTexts: [[UInt8]]
    private var notices: [ImportNotice]
    private let isOwn: Bool

    /// The columns' names.
    public var columns: [[UInt8]]? { names }

    /// The number of bytes read so far.
    public var bytesRead: Int { parser.bytes.offset }

    /// Reads the header; without a separator, that is told by the header.
    ///
    /// Throws `empty` if there is none, `malformed` or `notUTF8` if it cannot be read.
    public init(_ bytes: ByteReader, separator: UInt8? = nil) throws(FormatError) {
        var bytes = bytes
        if try bytes.lookahead(3).prefix(3).elementsEqual([0xEF, 0xBB, 0xBF]) { bytes.skip(3) }
        let separator = if let separator { separator } else { try TableDialect.separator(of: &bytes) }
        parser = CSVParser(bytes, separator: separator)
        var header = try parser.next()
        while let row = header, row.isBlank { header = try parser.next() }
        guard var header else { throw FormatError(.empty, "the file is empty") }
        if let problem = header.problem {
            throw FormatError(.malformed, "the header cannot be read: \(problem)", line: header.line)
        }
        guard header.cells.count <= Self.columnLimit else {
            throw FormatError(
                .tooLarge, "the header has \(header.cells.count) columns; at most \(Self.columnLimit) are read",
                line: header.line)
        }
        notices = []
        isOwn = TableLayout.isOwn(header.cells)
        if isOwn { header.cells = header.cells.map(TableLayout.unguarded) }
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
            let section = isOwn ? section(of: row) : nil
            var fields: [ImportedRecord.Field] = []
            for (index, cell) in row.cells.prefix(names.count).enumerated() where !cell.isEmpty {
                if section != nil, index == TableLayout.section || index == TableLayout.sectionTitle { continue }
                let text = isOwn ? TableLayout.unguarded(cell) : cell
                fields.append(.init(name: names[index], nameText: nameTexts[index], value: .text(text)))
            }
            if fields.isEmpty {
                return .notice(ImportNotice(line: row.line, message: "a row whose cells are all empty was skipped"))
            }
            return .record(ImportedRecord(line: row.line, fields: fields, section: section))
        }
        return nil
    }

    /// The section that an exported table's row states, if it states one.
    private func section(of row: CSVParser.Row) -> SectionContent? {
        let id = TableLayout.unguarded(row.cells[TableLayout.section])
        guard let plain = ContentID.plain(id) else { return nil }
        let title = TableLayout.unguarded(row.cells[TableLayout.sectionTitle])
        var members = JSONMembers.empty
        members.append(name: "title", value: title.jsonString)
        return SectionContent(id: SectionID(utf8: plain), members: members)
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
        // For a name that many columns have, the last number given.
        var numbers: [[UInt8]: Int] = [:]
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
            var number = numbers[cell] ?? 2
            while taken.contains(name) {
                number += 1
                name = (cell.isEmpty ? wanted : cell) + Array("-\(number)".utf8)
            }
            if !cell.isEmpty { numbers[cell] = number }
            taken.insert(name)
            names.append(name)
            let column = cell.isEmpty ? "has no name" : "is another \"\(String(decoding: cell, as: UTF8.self))\""
            notices.append(
                ImportNotice(
                    line: header.line,
                    message: "column \(index + 1) \(column); it is kept as \"\(String(decoding: name, as: UTF8.self))\""
                ))
        }
        return names
    }
}
