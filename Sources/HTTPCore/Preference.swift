/// What a client prefers by `Prefer` (RFC 7240); the first of a name counts, what is malformed is passed over.
package struct Preference: Hashable, Sendable {
    /// The preferences' values by their names in lower case; empty for one without a value.
    package let values: [String: String]

    /// Parses all values of the field.
    package init(_ fieldValues: [String]) {
        var values: [String: String] = [:]
        for fieldValue in fieldValues {
            var scanner = FieldScanner(fieldValue)
            repeat {
                scanner.skipBlanks()
                guard let name = scanner.token()?.lowercased() else { continue }
                scanner.skipBlanks()
                var value = ""
                if scanner.take("=") {
                    scanner.skipBlanks()
                    guard let found = scanner.peek == UInt8(ascii: "\"") ? scanner.quotedString() : scanner.token()
                    else { continue }
                    value = found
                }
                if values[name] == nil { values[name] = value }
            } while scanner.skipToNextElement()
        }
        self.values = values
    }

    /// Whether `return=minimal` is preferred.
    package var returnsMinimal: Bool { values["return"]?.lowercased() == "minimal" }
}
