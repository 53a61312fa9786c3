import JSONText

extension XMLNode {
    /// How deep elements become objects; what lies deeper becomes text.
    private static let jsonDepth = 16

    /// The element as JSON, so that what no reader knows is kept: its text, or an object of its attributes, its
    /// elements by name (several of one name as an array) and, beside them, its text.
    var json: [UInt8] { json(depth: 0) }

    private func json(depth: Int) -> [UInt8] {
        let children = children
        guard !attributes.isEmpty || !children.isEmpty, depth < Self.jsonDepth else {
            return Array(text.utf8).jsonString
        }
        var object = FieldList(source: "own")
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            object.add(name.camelCased, .text(Array(value.utf8)))
        }
        for (name, nodes) in XMLNode.grouped(children) {
            let values = nodes.map { $0.json(depth: depth + 1) }
            object.add(name.camelCased, .json(values.count == 1 ? values[0] : values.jsonArray))
        }
        let own = pieces.reduce("") { if case .text(let text) = $1 { $0 + text } else { $0 } }.trimmed
        if !own.isEmpty { object.add("text", .text(Array(own.utf8))) }
        return object.json
    }

    /// Elements by name, the names in the order in which they first come.
    static func grouped(_ nodes: [XMLNode]) -> [(name: String, nodes: [XMLNode])] {
        var places: [FieldName: Int] = [:]
        var groups: [(name: String, nodes: [XMLNode])] = []
        for node in nodes {
            if let place = places[FieldName(node.name)] {
                groups[place].nodes.append(node)
            } else {
                places[FieldName(node.name)] = groups.count
                groups.append((node.name, [node]))
            }
        }
        return groups
    }
}

extension FieldList {
    /// The fields as a JSON object.
    var json: [UInt8] {
        var members = JSONMembers.empty
        for field in fields { members.append(nameText: field.nameText, value: field.value.json) }
        return [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")]
    }
}

extension [[UInt8]] {
    /// JSON values as an array.
    var jsonArray: [UInt8] { [UInt8(ascii: "[")] + joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")] }
}

extension [String] {
    /// Strings as a JSON array.
    var jsonArray: [UInt8] { map { [UInt8]($0.utf8).jsonString }.jsonArray }
}
