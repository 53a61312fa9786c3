import Glibc

/// Fills a collection, ends its server and starts it again.
enum RestartPart {
    static let collection = "large"
    private static let batch = 5_000

    /// Fills the large collection; returns its server.
    static func fill(_ options: Options, _ place: Workplace) throws -> Server {
        let server = try Server(options.server, store: place.file("large"), log: place.file("large.log"))
        try server.waitUntilReady()
        let connection = try HTTPConnection(port: server.port)
        try connection.edit(Requests.put(collection, items: 0))
        let start = nanoseconds()
        for first in stride(from: 0, to: options.items, by: batch) {
            let numbers = first..<min(first + batch, options.items)
            try connection.edit(Requests.patch(collection, Requests.insert(numbers)))
        }
        let time = seconds(since: start)
        Table.line(
            "filling, 5,000 items a request", "\(Table.number(Double(options.items) / time, 0)) items a second",
            "\(Table.number(time)) s")
        try StoreView(place.file("large")).waitForCheckpoint(of: collection)
        return server
    }

    /// Measures; returns the server that was started last.
    static func run(_ options: Options, _ place: Workplace) throws -> Server {
        Table.begin("Restart with \(options.items) items")
        var server = try fill(options, place)
        let json = Double(jsonByteCount(options.items)) / 1e6
        Table.line("bytes of the items' JSON", "\(Table.number(json)) MB")
        Table.line(
            "written to the disk while filling", "\(Table.number(try server.megabytesWritten())) MB",
            "\(Table.number(try server.megabytesWritten() / json)) times the JSON")
        try printSize(place, json)
        let began = nanoseconds()
        let view = try StoreView(place.file("large"))
        while try view.hasSpaceToRelease(), seconds(since: began) < 120 { usleep(100_000) }
        Table.line("giving free space back", "\(Table.number(seconds(since: began))) s")
        let size = try printSize(place, json)
        Table.line("database and log over the JSON", Table.number(size, 2), "at most 3", size <= 3)
        let behind = try StoreView(place.file("large")).uncovered(of: collection)
        Table.line(
            "behind the checkpoint", "\(behind.records) records",
            "\(Table.number(Double(behind.bytes) / 1e6)) MB; a checkpoint is due at an eighth")

        var times: [Double] = []
        for round in 1...3 {
            try server.end(SIGKILL)
            server = try start(options, place, "start \(round) after SIGKILL", &times)
        }
        let time = median(times)
        Table.line("ready after SIGKILL, median", "\(Table.number(time, 2)) s", "within 5 s", time <= 5)
        var others: [Double] = []
        Table.line("a stop by SIGTERM", "\(Table.number(try server.end(SIGTERM), 2)) s")
        server = try start(options, place, "start after SIGTERM", &others)
        try server.end(SIGKILL)
        for name in place.names(in: "large") { place.dropCache("large/\(name)") }
        server = try start(options, place, "start with nothing of the store in memory", &others)
        try growTail(options, place, server)
        try server.end(SIGKILL)
        server = try start(options, place, "start with that behind the checkpoint", &others)
        Table.line(
            "ready with that behind the checkpoint", "\(Table.number(others.last ?? .nan, 2)) s", "within 5 s",
            others.last ?? .nan <= 5)
        return server
    }

    /// Edits until nearly as much is behind the checkpoint as can be before another is due.
    private static func growTail(_ options: Options, _ place: Workplace, _ server: Server) throws {
        let view = try StoreView(place.file("large"))
        let load = LoadGenerator(
            port: server.port, collections: [collection], items: options.items, inserts: false)
        var (slice, batch) = (0, 0)
        while try view.uncovered(of: collection).records < options.items / 20 * 3 / 4 {
            _ = try load.run(writers: 64, seconds: 0.1, run: "tail\(slice)")
            slice += 1
        }
        let connection = try HTTPConnection(port: server.port)
        var tail = try view.uncovered(of: collection)
        while tail.bytes + 1_500_000 < max(1 << 20, tail.checkpointBytes / 8), batch < options.items / self.batch {
            let first = batch * self.batch
            let numbers = first..<min(first + self.batch, options.items)
            try connection.edit(Requests.patch(collection, Requests.merge(numbers, plays: batch)))
            batch += 1
            tail = try view.uncovered(of: collection)
        }
        Table.line(
            "edits behind the checkpoint now", "\(tail.records) records",
            "\(Table.number(Double(tail.bytes) / 1e6)) MB, nearly as many as can be")
    }

    private static func start(
        _ options: Options, _ place: Workplace, _ name: String, _ times: inout [Double]
    ) throws -> Server {
        let start = nanoseconds()
        let server = try Server(options.server, store: place.file("large"), log: place.file("large.log"))
        try server.waitUntilReady()
        let time = seconds(since: start)
        times.append(time)
        let (memory, used) = (try server.memory(), try server.processorSeconds())
        Table.line(
            name, "\(Table.number(time, 2)) s, processor \(Table.number(used, 2)) s",
            "memory \(Table.number(memory.now, 0)) MB, at most \(Table.number(memory.peak, 0)) MB")
        guard try server.metrics("medley_items")[0] == options.items else { throw BenchmarkError("items are missing") }
        return server
    }

    /// Prints what the store takes on the disk; how many times the JSON that is.
    @discardableResult
    private static func printSize(_ place: Workplace, _ json: Double) throws -> Double {
        let (database, log) = (place.size("large/medley.sqlite"), place.size("large/medley.sqlite-wal"))
        let bytes = Double(database + log) / 1e6
        let pages = try StoreView(place.file("large")).pages()
        Table.line(
            "database and log", "\(Table.number(Double(database) / 1e6)) MB + \(Table.number(Double(log) / 1e6)) MB",
            "\(Table.number(bytes / json, 2)) times the JSON; \(100 * pages.free / max(1, pages.all)) % of the file is free"
        )
        return bytes / json
    }

    private static func jsonByteCount(_ items: Int) -> Int {
        var text: [UInt8] = []
        var count = 0
        for number in 0..<items {
            Requests.appendItem("m\(number)", number, to: &text)
            count += text.count
            text.removeAll(keepingCapacity: true)
        }
        return count
    }
}
