import JSONText
public import MedleyCore
import MedleyJSON

/// Writes the service's own snapshot form, without what the server makes: what PUT takes.
public struct SnapshotWriter: CollectionWriter {
    private var hasSections = false
    private var hasItems = false

    /// Creates a writer for one collection.
    public init() {}

    /// Writes the collection's members.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        if !head.members.isEmpty { output += head.members.bytes + [UInt8(ascii: ",")] }
        JSONWriter.append(token: "\"sections\":[", to: &output)
    }

    /// Starts a section.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        if hasSections { JSONWriter.append(token: "]},", to: &output) }
        JSONWriter.append(token: "\n", to: &output)
        hasSections = true
        hasItems = false
        SectionEncoder.appendOpening(id: section.id, members: section.members, to: &output)
        JSONWriter.append(token: ",\"items\":[", to: &output)
    }

    /// Writes an item.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        JSONWriter.append(token: hasItems ? ",\n" : "\n", to: &output)
        hasItems = true
        ItemEncoder.append(item, to: &output)
    }

    /// Closes what is open.
    public mutating func end(to output: inout [UInt8]) {
        JSONWriter.append(token: hasSections ? "]}]}\n" : "]}\n", to: &output)
    }
}
