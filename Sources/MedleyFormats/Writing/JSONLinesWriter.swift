import JSONText
public import MedleyCore

/// Writes JSON Lines: an item on each line, its section an object behind `id`, `type` and `liked`.
///
/// A member of the item's own that is called `section` becomes `section-2`, as a table's second column of a name does.
public struct JSONLinesWriter: CollectionWriter {
    private var section: [UInt8] = []

    /// Creates a writer for one collection.
    public init() {}

    /// Writes nothing: there is no place for a collection's members.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {}

    /// Starts a section.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        self.section = Array(",\"section\":{\"id\":".utf8) + section.id.utf8.jsonString
        if !section.members.isEmpty { self.section += [UInt8(ascii: ",")] + section.members.bytes }
        self.section.append(UInt8(ascii: "}"))
    }

    /// Writes a line.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        JSONWriter.append(token: "{\"id\":", to: &output)
        JSONWriter.append(string: item.id.utf8, to: &output)
        if let type = item.type {
            JSONWriter.append(token: ",\"type\":", to: &output)
            JSONWriter.append(string: type.name, to: &output)
        }
        if let liked = item.liked {
            JSONWriter.append(token: liked ? ",\"liked\":true" : ",\"liked\":false", to: &output)
        }
        output += section
        let model = item.model.value(of: "section") == nil ? item.model : Self.renamed(item.model)
        if !model.isEmpty { output += [UInt8(ascii: ",")] + model.bytes }
        JSONWriter.append(token: "}\n", to: &output)
    }

    /// Writes nothing.
    public mutating func end(to output: inout [UInt8]) {}

    private static func renamed(_ model: JSONMembers) -> JSONMembers {
        var number = 2
        while model.value(of: "section-\(number)") != nil { number += 1 }
        var renamed = JSONMembers.empty
        for member in model {
            let name = member.name.equals("section") ? Array("\"section-\(number)\"".utf8)[...] : member.name.text
            renamed.append(nameText: name, value: member.value)
        }
        return renamed
    }
}
