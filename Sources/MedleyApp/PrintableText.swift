/// Text of others as a terminal can show it.
enum PrintableText {
    /// The text with everything that would do something instead of showing something written as `\u{…}`: control
    /// characters, line separators, and what turns the direction of writing round. O(bytes).
    static func of(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isHarmless) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Joiners hold emoji together, and scripts need them.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
