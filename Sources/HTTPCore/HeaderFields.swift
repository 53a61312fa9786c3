/// Header fields in the order they came or will be sent; names are compared without regard to case (RFC 9110, 5.1).
package struct HeaderFields: Hashable, Sendable {
    /// A field.
    package struct Field: Hashable, Sendable {
        /// The name as it was written.
        package let name: String
        /// The value without surrounding white space.
        package let value: String
    }

    /// All fields in order.
    package private(set) var fields: [Field] = []

    /// No fields.
    package init() {}

    /// The first value of a field, or `nil`.
    package subscript(name: String) -> String? {
        for field in fields where Self.equal(field.name, name) { return field.value }
        return nil
    }

    /// All values of a field in order.
    package func values(_ name: String) -> [String] {
        var values: [String] = []
        for field in fields where Self.equal(field.name, name) { values.append(field.value) }
        return values
    }

    /// Adds a field after the others.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Makes a field the only one of its name.
    package mutating func set(_ name: String, _ value: String) {
        fields.removeAll { Self.equal($0.name, name) }
        add(name, value)
    }

    /// Makes room for so many fields.
    mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Whether two names are the same, ASCII case aside.
    private static func equal(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        let (a, b) = (left.utf8Span.span, right.utf8Span.span)
        for index in a.indices where a[index] != b[index] {
            guard ByteClass.lowered(a[index]) == ByteClass.lowered(b[index]) else { return false }
        }
        return true
    }
}
