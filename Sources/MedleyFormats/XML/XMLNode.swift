/// An element of an XML document with all that is in it.
final class XMLNode {
    /// A piece of an element's content.
    enum Piece {
        case text(String)
        case element(XMLNode)
    }

    /// The name with the prefix that is usual for its namespace: `itunes:duration`, `title`; see `XMLNames`.
    let name: String
    /// The line, from 1, on which the start tag ends.
    let line: Int
    /// The attributes by name, without those that declare namespaces.
    let attributes: [String: String]
    /// Text and elements in the document's order.
    private(set) var pieces: [Piece] = []
    /// The bytes of all text and attributes in here, for limits.
    private(set) var weight: Int
    /// The number of elements in here, this one among them.
    private(set) var size = 1

    init(name: String, line: Int, attributes: [String: String]) {
        self.name = name
        self.line = line
        self.attributes = attributes
        weight = attributes.reduce(name.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// Adds text at the end.
    func append(_ text: String) {
        weight += text.utf8.count
        if case .text(var last) = pieces.last {
            // The array must not hold a second reference while the text grows.
            pieces.removeLast()
            last += text
            pieces.append(.text(last))
        } else {
            pieces.append(.text(text))
        }
    }

    /// Adds a finished element at the end.
    func append(_ child: XMLNode) {
        weight += child.weight
        size += child.size
        pieces.append(.element(child))
    }

    /// The elements in it.
    var children: [XMLNode] {
        pieces.compactMap { if case .element(let child) = $0 { child } else { nil } }
    }

    /// The first element of a name.
    func child(_ name: String) -> XMLNode? {
        for case .element(let child) in pieces where child.name == name { return child }
        return nil
    }

    /// All elements of a name.
    func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// An attribute's value without white space around it; `nil` if it is empty.
    func attribute(_ name: String) -> String? {
        guard let value = attributes[name]?.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// All text in it, that of its elements too, without white space around it.
    var text: String {
        var text = ""
        collect(into: &text)
        return text.trimmed
    }

    private func collect(into text: inout String) {
        for piece in pieces {
            switch piece {
            case .text(let own): text += own
            case .element(let child): child.collect(into: &text)
            }
        }
    }

    /// What is in it as markup, without white space around it: XHTML within a feed.
    var markup: String {
        var markup = ""
        write(into: &markup)
        return markup.trimmed
    }

    private func write(into markup: inout String) {
        for piece in pieces {
            switch piece {
            case .text(let text): markup += Self.escaped(text)
            case .element(let child):
                let name = child.name.hasPrefix("xhtml:") ? String(child.name.dropFirst(6)) : child.name
                markup += "<\(name)"
                for (name, value) in child.attributes.sorted(by: { $0.key < $1.key }) {
                    markup += " \(name)=\"\(Self.escaped(value).replacing("\"", with: "&quot;"))\""
                }
                if child.pieces.isEmpty {
                    markup += "/>"
                } else {
                    markup += ">"
                    child.write(into: &markup)
                    markup += "</\(name)>"
                }
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension String {
    /// The text without XML's white space at both ends.
    var trimmed: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !$0.isJSONSpace }),
            let last = bytes.lastIndex(where: { !$0.isJSONSpace })
        else { return "" }
        return String(self[first...last])
    }
}
