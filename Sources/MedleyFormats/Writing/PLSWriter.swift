import JSONText
public import MedleyCore

/// Writes a PLS playlist: location, title and length of each item, all that the format has.
///
/// An item without `url` and `path` has a number and a title, but no `File` line, and players skip it.
public struct PLSWriter: CollectionWriter {
    private var count = 0

    /// Creates a writer for one playlist.
    public init() {}

    /// Writes the first line.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        output.append(token: "[playlist]\n")
    }

    /// Writes nothing: PLS has no sections.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {}

    /// Writes an entry.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        count += 1
        let members = ItemMembers(item.model)
        line("File", members.text("url") ?? members.text("path") ?? [], to: &output)
        let title = PlaylistTitle.joined(artist: members.text("artist"), title: members.text("title"))
        // An entry needs a line to be one.
        line("Title", title.asLine.isEmpty && members.value("url") == nil ? item.id.utf8 : title, to: &output)
        let seconds = members.value("duration").flatMap { $0.isPlainNumber ? $0 : nil }
        line("Length", seconds ?? Array("-1".utf8), to: &output)
    }

    /// Writes how many entries there are.
    public mutating func end(to output: inout [UInt8]) {
        output += Array("NumberOfEntries=\(count)\nVersion=2\n".utf8)
    }

    private func line(_ key: String, _ value: [UInt8], to output: inout [UInt8]) {
        let value = value.asLine
        guard !value.isEmpty else { return }
        output += Array("\(key)\(count)=".utf8) + value + [0x0A]
    }
}

extension [UInt8] {
    /// Whether the bytes are digits, with digits behind a point if there is one: a number that every player reads.
    var isPlainNumber: Bool { isJSONNumber && allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } }
}
