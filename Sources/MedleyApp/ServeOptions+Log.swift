extension ServeOptions {
    /// How the lines of requests are written.
    package enum AccessLogForm: String, Hashable, Sendable, CaseIterable {
        /// Columns with a blank between them.
        case plain
        /// A JSON object each.
        case json
        /// Not at all.
        case off
    }

    /// Reads the options of logs where `name` is one of them; says whether it was.
    mutating func readLog(_ name: String, _ value: () throws(UsageError) -> String) throws(UsageError) -> Bool {
        guard name == "--access-log" else { return false }
        accessLog = try Self.form(try value(), name)
        return true
    }

    /// Reads the variables of logs; an empty one is none.
    mutating func readLog(environment: [String: String]) throws(UsageError) {
        let name = "MEDLEY_ACCESS_LOG"
        if let text = environment[name], !text.isEmpty { accessLog = try Self.form(text, name) }
    }

    private static func form(_ text: String, _ name: String) throws(UsageError) -> AccessLogForm {
        guard let form = AccessLogForm(rawValue: text) else {
            throw UsageError(message: "\(name) is plain, json or off, not \"\(text)\"")
        }
        return form
    }
}
