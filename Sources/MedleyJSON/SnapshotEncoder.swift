import JSONText
public import MedleyCore

/// Writes a whole collection in the form that a PUT takes and `SnapshotDecoder` reads.
public enum SnapshotEncoder {
    /// The collection as JSON. O(bytes).
    public static func encoded(_ content: SnapshotContent) -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "{")]
        if let id = content.id {
            JSONWriter.append(token: "\"id\":", to: &output)
            JSONWriter.append(string: id, to: &output)
            output.append(UInt8(ascii: ","))
        }
        if !content.members.isEmpty {
            output.append(contentsOf: content.members.bytes)
            output.append(UInt8(ascii: ","))
        }
        JSONWriter.append(token: "\"sections\":[", to: &output)
        for (index, section) in content.sections.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            SectionEncoder.appendOpening(id: section.content.id, members: section.content.members, to: &output)
            JSONWriter.append(token: ",\"items\":[", to: &output)
            for (place, item) in section.items.enumerated() {
                if place > 0 { output.append(UInt8(ascii: ",")) }
                ItemEncoder.append(item, to: &output)
            }
            JSONWriter.append(token: "]}", to: &output)
        }
        JSONWriter.append(token: "]}", to: &output)
        return output
    }
}
