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
        fields.first { Self.equal($0.name, name) }?.value
    }

    /// All values of a field in order.
    package func values(_ name: String) -> [String] {
        fields.filter { Self.equal($0.name, name) }.map(\.value)
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

    /// Whether two names are the same, ASCII case aside.
    private static func equal(_ left: String, _ right: String) -> Bool {
        let (a, b) = (left.utf8, right.utf8)
        return a.count == b.count && zip(a, b).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
