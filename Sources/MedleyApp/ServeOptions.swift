/// What `medley serve` was asked for: options first, `MEDLEY_*` variables where there is none, then the defaults.
package struct ServeOptions: Hashable, Sendable {
    /// The address to listen on, `HOST:PORT`; port 0 lets the system choose.
    package var listen = "127.0.0.1:8080"
    /// Whether nothing is kept beyond the process.
    package var memory = false
    /// The number of event loops.
    package var loops: Int
    /// Whether the sample collections are there from the start.
    package var sample = false

    /// A mistake in the arguments, in a sentence.
    package struct UsageError: Error, Hashable, Sendable {
        /// What is wrong.
        package let message: String
    }

    /// How the command is called.
    package static let usage = """
        usage: medley serve [--listen HOST:PORT] [--loops N] [--memory] [--sample]

          --listen HOST:PORT  where to listen (default 127.0.0.1:8080); [::1]:8080 for IPv6, port 0 for any
          --loops N           event loops, 1 to 256 (default: one for each core)
          --memory            keep collections in memory only; this version knows nothing else
          --sample            start with the sample collections mix, frameworks and characters

        Each option can be given as a variable too: MEDLEY_LISTEN, MEDLEY_LOOPS, MEDLEY_MEMORY, MEDLEY_SAMPLE
        (1 or true, 0 or false). There is no authentication yet: listen on loopback, or behind a proxy that has it.
        """

    /// Reads arguments and environment.
    package init(arguments: [String], environment: [String: String], cores: Int) throws(UsageError) {
        loops = min(max(cores, 1), Self.maximumLoops)
        if let value = environment["MEDLEY_LISTEN"] { listen = value }
        if let value = environment["MEDLEY_LOOPS"] { loops = try Self.loops(value, "MEDLEY_LOOPS") }
        memory = try Self.flag(environment, "MEDLEY_MEMORY")
        sample = try Self.flag(environment, "MEDLEY_SAMPLE")

        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func value() throws(UsageError) -> String {
                if parts.count == 2 { return parts[1] }
                guard let next = rest.popFirst() else { throw UsageError(message: "\(argument) needs a value") }
                return next
            }
            switch parts[0] {
            case "--listen": listen = try value()
            case "--loops": loops = try Self.loops(try value(), "--loops")
            case "--memory" where parts.count == 1: memory = true
            case "--sample" where parts.count == 1: sample = true
            default: throw UsageError(message: "unknown argument \(argument)")
            }
        }
    }

    private static let maximumLoops = 256

    private static func loops(_ text: String, _ name: String) throws(UsageError) -> Int {
        guard let number = Int(text), (1...maximumLoops).contains(number) else {
            throw UsageError(message: "\(name) takes a number from 1 to \(maximumLoops), not \"\(text)\"")
        }
        return number
    }

    private static func flag(_ environment: [String: String], _ name: String) throws(UsageError) -> Bool {
        switch environment[name] {
        case nil, "", "0", "false": return false
        case "1", "true": return true
        case let text?: throw UsageError(message: "\(name) is 1, true, 0 or false, not \"\(text)\"")
        }
    }
}
