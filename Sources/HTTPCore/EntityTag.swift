/// An entity tag (RFC 9110, 8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// What is between the quotes.
    package let opaque: String
    /// Whether it is marked `W/`.
    package let isWeak: Bool

    /// Creates a tag; `opaque` has no quotes, spaces or control characters.
    package init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The tag as a field's value.
    package var text: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}

/// The value of `If-None-Match` or `If-Match`: a list of tags, or `*` for any (RFC 9110, 13.1).
package struct EntityTagList: Hashable, Sendable {
    /// Whether it is `*`.
    package let isAny: Bool
    /// The tags in order.
    package let tags: [EntityTag]

    /// Parses all values of the field; `nil` if there is none or one is malformed.
    package init?(_ values: [String]) {
        guard !values.isEmpty else { return nil }
        if values.count == 1, values[0] == "*" {
            isAny = true
            tags = []
            return
        }
        var tags: [EntityTag] = []
        for value in values {
            var scanner = FieldScanner(value)
            repeat {
                scanner.skipBlanks()
                if scanner.isAtEnd || scanner.peek == UInt8(ascii: ",") { continue }
                let isWeak = scanner.take("W")
                guard !isWeak || scanner.take("/"), let opaque = scanner.opaqueTag() else { return nil }
                tags.append(EntityTag(opaque, isWeak: isWeak))
                scanner.skipBlanks()
                guard scanner.isAtEnd || scanner.peek == UInt8(ascii: ",") else { return nil }
            } while scanner.take(",")
        }
        guard !tags.isEmpty else { return nil }
        isAny = false
        self.tags = tags
    }

    /// Whether a representation with this opaque tag matches by the weak comparison, as `If-None-Match` compares.
    package func matchesWeakly(_ opaque: String) -> Bool {
        isAny || tags.contains { $0.opaque.utf8.elementsEqual(opaque.utf8) }
    }

    /// Whether a strong tag with this opaque part matches by the strong comparison, as `If-Match` compares.
    package func matchesStrongly(_ opaque: String) -> Bool {
        isAny || tags.contains { !$0.isWeak && $0.opaque.utf8.elementsEqual(opaque.utf8) }
    }
}
