import Glibc

/// Edits and syncs a second with 1, 16 and 256 writers, kept in the store and in memory only.
enum WritersPart {
    private static let items = 1_000
    private static let collections = (0..<8).map { "c\($0)" }

    static func run(_ options: Options, _ place: Workplace) throws {
        Table.begin("Concurrent writers: likes, merges and inserts in 8 collections of 1,000 items")
        for store in ["writers", nil] {
            let server = try Server(
                options.server, store: store.map(place.file), log: place.file("writers.log"))
            try server.waitUntilReady()
            let connection = try HTTPConnection(port: server.port)
            for collection in collections { try connection.edit(Requests.put(collection, items: items)) }
            let load = LoadGenerator(port: server.port, collections: collections, items: items)
            _ = try load.run(writers: 16, seconds: options.seconds / 4, run: "warm")
            for writers in [1, 16, 256] {
                try measure(writers, load, server, options.seconds, isKept: store != nil)
            }
            try server.end(SIGTERM)
        }
    }

    private static func measure(
        _ writers: Int, _ load: LoadGenerator, _ server: Server, _ time: Double, isKept: Bool
    ) throws {
        let names = ("medley_revisions_total", "medley_commits_total")
        let before = try server.metrics(names.0, names.1)
        let (used, ownUsed) = (try server.processorSeconds(), ownProcessorSeconds())
        let result = try load.run(writers: writers, seconds: time, run: "r\(writers)")
        let (server_, own) = (try server.processorSeconds() - used, ownProcessorSeconds() - ownUsed)
        let after = try server.metrics(names.0, names.1)
        let (edits, syncs) = (Double(after[0] - before[0]), Double(after[1] - before[1]))
        guard result.refused == 0, Int(edits) == result.latencies.count else {
            throw BenchmarkError("\(result.refused) edits were refused; \(edits) of \(result.latencies.count) counted")
        }
        let name = "\(writers) writer\(writers == 1 ? "" : "s")\(isKept ? "" : ", --memory")"
        let latency =
            "p50 \(Table.number(result.latencies.median / 1000, 2)) ms,"
            + " p99 \(Table.number(result.latencies.quantile(0.99) / 1000, 2)) ms"
        Table.line("\(name): edits a second", Table.number(edits / result.seconds, 0), latency)
        Table.line(
            "  processor for 1,000 edits: server, these writers",
            "\(Table.number(server_ / edits * 1e6, 0)) ms, \(Table.number(own / edits * 1e6, 0)) ms")
        guard isKept else { return }
        Table.line("  syncs a second", Table.number(syncs / result.seconds, 0))
        let ratio = edits / syncs
        if writers == 256 {
            Table.line("  edits for each sync", Table.number(ratio), "at least 20", ratio >= 20)
        } else {
            Table.line("  edits for each sync", Table.number(ratio))
        }
    }
}
