import JSONText

extension ItemExtension {
    /// Reads the element `extension` that `XSPFWriter` puts into a track; `nil` if it is another's, or broken.
    init?(_ element: XMLNode) {
        guard element.attributes["application"] == Self.application, let item = element.child("medley:item"),
            let members = Self.members(item.children("medley:member")),
            var section = Self.members(item.children("medley:section"))
        else { return nil }
        var all = JSONMembers.empty
        for name in ["id", "type"] {
            if let text = item.attributes[name] { all.append(name: name, value: Array(text.utf8).jsonString) }
        }
        if let liked = item.attributes["liked"] { all.append(name: "liked", value: liked.utf8) }
        if let id = item.attributes["section"] {
            section.append(name: "id", value: Array(id.utf8).jsonString)
            if section.value(of: "title") == nil, let title = item.attributes["sectionTitle"] {
                section.append(name: "title", value: Array(title.utf8).jsonString)
            }
            all.append(name: "section", value: Self.object(section))
        }
        all.append(name: "members", value: Self.object(members))
        self.init(json: Self.object(all))
    }

    private static func object(_ members: JSONMembers) -> [UInt8] {
        [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")]
    }

    /// Elements with a name and a value as JSON text; `nil` if one is not of that form.
    private static func members(_ nodes: [XMLNode]) -> JSONMembers? {
        var members = JSONMembers.empty
        for node in nodes {
            var scanner = JSONScanner(Array(node.text.utf8), maximumDepth: ImportedEntry.maximumDepth)
            var value: [UInt8] = []
            guard let name = node.attributes["name"], (try? scanner.copyValue(to: &value)) != nil,
                (try? scanner.finish()) != nil
            else { return nil }
            members.append(nameText: Array(name.utf8).jsonString, value: value)
        }
        return members
    }
}
