import Glibc

/// What the benchmark is asked for.
struct Options {
    /// The `medley` program.
    var server = ""
    /// The folder in which a folder for the run is made and taken away again.
    var data = ".build/journal-benchmark"
    /// The items of the large collection.
    var items = 1_000_000
    /// The seconds for which each number of writers is measured.
    var seconds = 4.0
    /// The parts to run.
    var parts = Part.allCases

    /// What is measured.
    enum Part: String, CaseIterable {
        case writers, lone, restart, checkpoint
    }

    static let usage = """
        usage: JournalBenchmark --server PROGRAM [--data DIR] [--items N] [--seconds S] [PART…]

          --server PROGRAM  the medley program
          --data DIR        where the stores lie while it runs (default .build/journal-benchmark): the disk to measure
          --items N         the items of the large collection (default 1000000, from 10000)
          --seconds S       how long each number of writers is measured (default 4)
          PART              writers, lone, restart or checkpoint (default: all)
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var chosen: [Part] = []
        while let argument = rest.popFirst() {
            if let part = Part(rawValue: argument) {
                chosen.append(part)
                continue
            }
            guard ["--server", "--data", "--items", "--seconds"].contains(argument) else {
                throw BenchmarkError("unknown argument \(argument)\n\(Self.usage)")
            }
            guard let value = rest.popFirst(), !value.isEmpty else { throw BenchmarkError("\(argument) needs a value") }
            switch argument {
            case "--server": server = value
            case "--data": data = value
            case "--items":
                guard let number = Int(value), number >= 10_000 else {
                    throw BenchmarkError("--items takes a number from 10000")
                }
                items = number
            default:
                guard let number = Double(value), number > 0, number <= 600 else {
                    throw BenchmarkError("--seconds takes a number up to 600")
                }
                seconds = number
            }
        }
        guard access(server, X_OK) == 0 else {
            throw BenchmarkError("--server names no program: \"\(server)\"\n\(Self.usage)")
        }
        if !chosen.isEmpty { parts = chosen }
    }
}
