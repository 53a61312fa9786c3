/// A media type with its parameters, as in `Content-Type` (RFC 9110, 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// The type, in lower case: `application`.
    package let type: String
    /// The subtype, in lower case: `json`.
    package let subtype: String
    /// The parameters by their names in lower case; the first of a name counts.
    package let parameters: [String: String]

    /// Parses a field's value; `nil` if it is malformed.
    package init?(_ value: String) {
        var scanner = FieldScanner(value)
        guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters(), scanner.isAtEnd
        else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// `type/subtype` without parameters, in lower case.
    package var essence: String { "\(type)/\(subtype)" }
}
