/// The parameters of a query: split on `&`, then on the first `=`. Names are decoded, values stay raw until they are
/// asked for, since a list is split on `,` before it is decoded. A `+` is a plus.
package struct QueryItems: Hashable, Sendable {
    /// A parameter.
    package struct Item: Hashable, Sendable {
        /// The decoded name.
        package let name: String
        /// The value as it was sent; empty if there is no `=`.
        package let rawValue: String

        /// The decoded value; `nil` if an escape is malformed or it is not UTF-8.
        package var value: String? { PercentEncoding.decode(rawValue) }

        /// The decoded elements of a list; an empty value is an empty list. `nil` as for `value`.
        package var list: [String]? {
            var elements: [String] = []
            guard !rawValue.isEmpty else { return elements }
            for raw in rawValue.split(separator: ",", omittingEmptySubsequences: false) {
                guard let element = PercentEncoding.decode(raw) else { return nil }
                elements.append(element)
            }
            return elements
        }
    }

    /// The parameters in order.
    package let items: [Item]

    /// Splits a raw query without its `?`; `nil` stands for no query. Fails if a name's escape is malformed.
    package init?(_ query: String?) {
        var items: [Item] = []
        for part in (query ?? "").split(separator: "&") {
            let equals = part.firstIndex(of: "=")
            guard let name = PercentEncoding.decode(part[..<(equals ?? part.endIndex)]) else { return nil }
            items.append(Item(name: name, rawValue: equals.map { String(part[part.index(after: $0)...]) } ?? ""))
        }
        self.items = items
    }

    /// The first parameter of a name.
    package subscript(name: String) -> Item? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// A name that is given more than once, or `nil`.
    package var repeatedName: String? {
        for (index, item) in items.enumerated()
        where items[..<index].contains(where: { $0.name.utf8.elementsEqual(item.name.utf8) }) {
            return item.name
        }
        return nil
    }
}
