import Glibc

/// What was asked for.
struct Options {
    enum Part: String, CaseIterable {
        case polls, streams, churn
    }

    /// The server's program.
    var server = ""
    /// How many connections wait.
    var connections = 10_000
    /// In how many rounds an edit is told to all of them.
    var rounds = 12
    /// The event loops of the server, and the threads of the one it is compared with.
    var loops = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    var parts: [Part] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() throws -> String {
                guard let value = rest.popFirst() else { throw BenchmarkError("\(argument) needs a value") }
                return value
            }
            func number() throws -> Int {
                let text = try value()
                guard let number = Int(text), number > 0 else { throw BenchmarkError("\(argument) takes a number") }
                return number
            }
            switch argument {
            case "--server": server = try value()
            case "--connections": connections = try number()
            case "--rounds": rounds = try number()
            case "--loops": loops = try number()
            default:
                guard let part = Part(rawValue: argument) else { throw BenchmarkError("unknown argument: \(argument)") }
                parts.append(part)
            }
        }
        guard !server.isEmpty else { throw BenchmarkError("--server names the program") }
        if parts.isEmpty { parts = Part.allCases }
    }
}
