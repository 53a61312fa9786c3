import JSONText

/// A value of a property list in XML, each with its line.
///
/// Read from the same bounded parser as everything in XML, not by Foundation's serialization: that one takes the
/// document whole, forgets lines, number texts and the order of keys, and nests as deep as the document likes.
struct PropertyValue {
    enum Kind {
        case string(String)
        /// A number's text, as JSON writes numbers.
        case number(String)
        case bool(Bool)
        /// A date's text.
        case date(String)
        /// Bytes in Base64.
        case data(String)
        case array([PropertyValue])
        case dictionary([(key: String, value: PropertyValue)])
    }

    let kind: Kind
    let line: Int

    /// How deep values may nest; what lies deeper becomes text, so that an item can carry it.
    private static let depthLimit = 32

    /// The value of an element; `nil` if it is none, or is not well-formed.
    init?(_ node: XMLNode) { self.init(node, depth: 0) }

    private init?(_ node: XMLNode, depth: Int) {
        line = node.line
        guard depth < Self.depthLimit else {
            kind = .string(node.text)
            return
        }
        switch node.name {
        case "string": kind = .string(node.text)
        case "integer", "real":
            let text = node.text.first == "+" ? String(node.text.dropFirst()) : node.text
            kind = Array(text.utf8).isJSONNumber ? .number(text) : .string(node.text)
        case "true": kind = .bool(true)
        case "false": kind = .bool(false)
        case "date": kind = .date(node.text)
        case "data": kind = .data(node.text.filter { !$0.isWhitespace })
        case "array": kind = .array(node.children.compactMap { PropertyValue($0, depth: depth + 1) })
        case "dict":
            guard let entries = Self.entries(node) else { return nil }
            kind = .dictionary(
                entries.compactMap { entry in PropertyValue(entry.value, depth: depth + 1).map { (entry.key, $0) } })
        default: return nil
        }
    }

    /// A dictionary's elements by key, in order; `nil` if keys and values do not alternate.
    static func entries(_ dictionary: XMLNode) -> [(key: String, value: XMLNode)]? {
        let children = dictionary.children
        guard children.count.isMultiple(of: 2) else { return nil }
        var entries: [(key: String, value: XMLNode)] = []
        for index in stride(from: 0, to: children.count, by: 2) {
            guard children[index].name == "key", children[index + 1].name != "key" else { return nil }
            entries.append((children[index].text, children[index + 1]))
        }
        return entries
    }

    /// The text of a string, a number or a date.
    var text: String? {
        switch kind {
        case .string(let text), .number(let text), .date(let text): text
        default: nil
        }
    }

    /// Whether it is true.
    var isTrue: Bool { if case .bool(true) = kind { true } else { false } }

    /// The value as a record has it.
    var value: ImportedRecord.Value {
        switch kind {
        case .string(let text), .date(let text), .data(let text): .text(Array(text.utf8))
        default: .json(json)
        }
    }

    private var json: [UInt8] {
        switch kind {
        case .string(let text), .date(let text), .data(let text): return Array(text.utf8).jsonString
        case .number(let text): return Array(text.utf8)
        case .bool(let bool): return Array((bool ? "true" : "false").utf8)
        case .array(let values): return values.map(\.json).jsonArray
        case .dictionary(let entries):
            var object = FieldList(source: "own")
            for entry in entries { object.add(entry.key.camelCased, .json(entry.value.json)) }
            return object.json
        }
    }
}
