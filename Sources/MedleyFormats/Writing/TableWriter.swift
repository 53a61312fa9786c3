import JSONText
public import MedleyCore

/// Writes a table with a header (RFC 4180): `id,type,liked,section,sectionTitle`, then a column for each name of
/// `CollectionHead.memberNames`.
///
/// Texts stand as they are, everything else as JSON text; a member that an item does not have is an empty cell. A cell
/// that a spreadsheet could take for a formula gets an apostrophe before it (`TableLayout.guarded`), since a table is
/// opened by people who did not write what is in it; our own reader takes it away again. NUL characters, which no reader
/// of tables accepts, are left out. A member named as one of the first columns gets a number (`section-2`).
public struct TableWriter: CollectionWriter {
    private let separator: UInt8
    private var columns: [[UInt8]: Int] = [:]
    private var section: [[UInt8]] = [[], []]

    /// Creates a writer for one table.
    public init(separator: UInt8 = UInt8(ascii: ",")) {
        self.separator = separator
    }

    /// Writes the header.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        var names = TableLayout.leading
        var used = Set(names).union(head.memberNames)
        for name in head.memberNames where columns[name] == nil {
            columns[name] = names.count
            var free = name
            var number = 1
            while TableLayout.leading.contains(name), number == 1 || !used.insert(free).inserted {
                number += 1
                free = name + Array("-\(number)".utf8)
            }
            names.append(free)
        }
        append(row: names, to: &output)
    }

    /// Starts a section.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        self.section = [section.id.utf8, section.members.string(of: "title").map { Array($0) } ?? []]
    }

    /// Writes a row.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        var cells = [[UInt8]](repeating: [], count: TableLayout.leading.count + columns.count)
        cells[0] = item.id.utf8
        cells[1] = item.type.map { Array($0.name.utf8) } ?? []
        cells[2] = item.liked.map { Array(($0 ? "true" : "false").utf8) } ?? []
        cells[3] = section[0]
        cells[4] = section[1]
        for member in item.model {
            guard let column = columns[Array(member.name.utf8)] else { continue }
            let isText = member.value.first == UInt8(ascii: "\"")
            cells[column] = isText ? Array(JSONString(trusted: member.value).utf8) : Array(member.value)
        }
        append(row: cells, to: &output)
    }

    /// Writes nothing.
    public mutating func end(to output: inout [UInt8]) {}

    private func append(row cells: [[UInt8]], to output: inout [UInt8]) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { output.append(separator) }
            // Before the guard: what it looks at must be what is written.
            let cell = cell.contains(0) ? cell.filter { $0 != 0 } : cell
            append(cell: TableLayout.guarded(cell), to: &output)
        }
        output += [0x0D, 0x0A]
    }

    private func append(cell: [UInt8], to output: inout [UInt8]) {
        let needsQuotes = cell.contains { $0 == separator || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else {
            output += cell
            return
        }
        output.append(UInt8(ascii: "\""))
        for byte in cell {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }
}
