public import JSONText
public import MedleyCore

/// Writes sections as JSON, the id first: `{"id":…,"title":…,<other members>}`.
public enum SectionEncoder {
    /// Appends a section without items. O(bytes).
    public static func append(_ section: SectionContent, to output: inout [UInt8]) {
        appendOpening(id: section.id, members: section.members, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    /// Appends a section's beginning, without the closing brace, so that items can follow. O(bytes).
    public static func appendOpening(id: SectionID, members: JSONMembers, to output: inout [UInt8]) {
        JSONWriter.append(token: "{\"id\":", to: &output)
        JSONWriter.append(string: id.utf8, to: &output)
        if !members.isEmpty {
            output.append(UInt8(ascii: ","))
            output.append(contentsOf: members.bytes)
        }
    }
}
