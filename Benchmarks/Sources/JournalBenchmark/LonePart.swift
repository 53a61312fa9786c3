/// A lone edit against a bare SQLite insert with the same settings, and against one that is kept in memory only.
enum LonePart {
    private static let rounds = 30
    private static let calls = 100

    static func run(_ options: Options, _ place: Workplace) throws {
        Table.begin("A lone edit, against a bare SQLite insert of the same row")
        let kept = try LoneServer(options, store: place.file("lone"), place)
        let fleeting = try LoneServer(options, store: nil, place)
        for _ in 0..<200 {
            try kept.edit()
            try fleeting.edit()
        }
        let plain = try BareTable(place, like: StoreView(place.file("lone")))
        for _ in 0..<200 { try plain.insert() }

        var all = [Samples](repeating: Samples(), count: 3)
        var shares: [Double] = []
        var ratios: [Double] = []
        for round in 0..<rounds {
            var times = [Samples](repeating: Samples(), count: 3)
            for turn in 0..<3 {
                let kind = (turn + round) % 3
                for _ in 0..<calls {
                    switch kind {
                    case 0: try times[0].time { try plain.insert() }
                    case 1: try times[1].time { try kept.edit() }
                    default: try times[2].time { try fleeting.edit() }
                    }
                }
            }
            let medians = times.map(\.median)
            ratios.append(medians[1] / medians[0])
            shares.append((medians[1] - medians[2]) / medians[0])
            for kind in 0..<3 { all[kind].add(times[kind]) }
        }
        let names = ["bare insert", "edit with --data", "edit with --memory"]
        for (name, samples) in zip(names, all) {
            Table.line(
                name, "p50 \(Table.number(samples.median)) µs, p99 \(Table.number(samples.quantile(0.99))) µs")
        }
        Table.line("bytes of the row's changes", "\(plain.changesByteCount)")
        Table.line("edit over bare insert", Table.number(median(ratios), 2), "median of \(rounds) rounds")
        let share = median(shares)
        Table.line("(edit - edit with --memory) over bare insert", Table.number(share, 2), "at most 2", share <= 2)
        // Where others use the machine, half of the calls wait for their turn; the fastest tell what the work is.
        let fast = all.map { $0.quantile(0.1) }
        Table.line(
            "the fastest tenth of each takes at most", fast.map { Table.number($0) }.joined(separator: ", ") + " µs")
        let fastShare = (fast[1] - fast[2]) / fast[0]
        Table.line("the same share of these", Table.number(fastShare, 2), "at most 2", fastShare <= 2)
    }

    /// A server, a collection in it and a connection to it.
    private final class LoneServer {
        private let server: Server
        private let connection: HTTPConnection
        private var edits = 0

        init(_ options: Options, store: String?, _ place: Workplace) throws {
            server = try Server(options.server, store: store, log: place.file("lone.log"))
            try server.waitUntilReady()
            connection = try HTTPConnection(port: server.port)
            try connection.edit(Requests.put("lone", items: 1_000))
        }

        func edit() throws {
            edits += 1
            let item = edits * 31 % 1_000
            try connection.edit(Requests.patch("lone", Requests.merge(item..<item + 1, plays: edits)))
        }
    }

    /// A table like the store's own for records, and the newest row of that.
    private final class BareTable {
        private let database: PlainDatabase
        private let statement: OpaquePointer
        private let lineage: String
        private let changes: String
        private let fixed: (number: Int64, time: Int64, checksum: Int64)
        private var sequence: Int64 = 0

        var changesByteCount: Int { changes.utf8.count }

        init(_ place: Workplace, like store: StoreView) throws {
            let newest = "FROM records ORDER BY sequence DESC LIMIT 1"
            lineage = try store.database.text("SELECT lineage \(newest)")
            changes = try store.database.text("SELECT changes \(newest)")
            let numbers = try store.database.integers("SELECT number, time, checksum \(newest)")
            fixed = (numbers[0], numbers[1], numbers[2])
            database = try PlainDatabase(place.file("bare.sqlite"))
            let pageSize = try store.database.integers("PRAGMA page_size")[0]
            try database.execute(
                """
                PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
                PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = \(64 << 20);
                """)
            try database.execute(try store.database.text("SELECT sql FROM sqlite_schema WHERE name = 'records'"))
            try database.execute(
                try store.database.text("SELECT sql FROM sqlite_schema WHERE name = 'records_by_collection'"))
            statement = try database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        }

        /// A transaction of one row.
        func insert() throws {
            sequence += 1
            try database.run(
                statement,
                [
                    .integer(sequence), .text("lone"), .text(lineage), .integer(fixed.number + sequence),
                    .integer(fixed.time), .text("edit"), .text(changes), .integer(fixed.checksum),
                ])
        }
    }
}
