import Glibc

/// Lone edits on another collection while a large one's checkpoint is written.
enum CheckpointPart {
    private static let rounds = 3
    private static let quietEdits = 3_000
    private static let collection = "other"

    /// What the store is doing while an edit is made.
    private enum Phase: String, CaseIterable {
        case quiet = "nothing else"
        case writing = "checkpoint being written"
        case clearing = "old checkpoint cleared away"
        case releasing = "free space given back"
    }

    static func run(_ options: Options, _ place: Workplace, _ server: Server) throws {
        Table.begin("Lone edits while a checkpoint of \(options.items) items is written")
        let connection = try HTTPConnection(port: server.port)
        try connection.edit(Requests.put(collection, items: 1_000))
        let view = try StoreView(place.file("large"))
        var times = [Phase: Samples]()
        var writing: [Double] = []
        var edits = 0
        func edit(_ phase: Phase) throws {
            edits += 1
            let item = edits * 31 % 1_000
            let request = Requests.patch(collection, Requests.merge(item..<item + 1, plays: edits))
            try times[phase, default: Samples()].time { try connection.edit(request) }
        }
        func releaseSpace() throws {
            let start = nanoseconds()
            while try view.hasSpaceToRelease(), seconds(since: start) < 60 {
                for _ in 0..<8 { try edit(.releasing) }
            }
        }
        for round in 0..<rounds {
            try releaseSpace()
            for _ in 0..<quietEdits { try edit(.quiet) }
            let old = try view.checkpoint(of: RestartPart.collection)
            try provoke(round, options, view, connection)
            let start = nanoseconds()
            while try view.checkpoint(of: RestartPart.collection) == old {
                guard seconds(since: start) < 120 else { throw BenchmarkError("no checkpoint within 120 s") }
                for _ in 0..<8 { try edit(.writing) }
            }
            writing.append(seconds(since: start))
            while try view.hasPieces(old) {
                guard seconds(since: start) < 240 else { throw BenchmarkError("an old checkpoint stays") }
                for _ in 0..<8 { try edit(.clearing) }
            }
        }
        try releaseSpace()
        Table.line("a checkpoint takes", "\(Table.number(median(writing), 2)) s", "with these edits beside it")
        let quiet = times[.quiet] ?? Samples()
        for phase in Phase.allCases {
            let samples = times[phase] ?? Samples()
            if samples.count == 0 { continue }
            let text =
                "p50 \(Table.number(samples.median / 1000, 2)), p99 \(Table.number(samples.quantile(0.99) / 1000, 2)),"
                + " max \(Table.number(samples.maximum / 1000)) ms"
            switch phase {
            case .quiet: Table.line("\(phase.rawValue): \(samples.count) edits", text)
            case .writing, .clearing, .releasing:
                Table.line(
                    "\(phase.rawValue): \(samples.count) edits", text, "p99 at most 50 ms, none over 250 ms",
                    samples.quantile(0.99) <= 50_000 && samples.maximum <= 250_000)
            }
        }
        let ratio = (times[.writing] ?? Samples()).median / quiet.median
        Table.line("median while written over median with nothing else", Table.number(ratio, 2))
    }

    /// Edits the large collection until a checkpoint of it is under way.
    private static func provoke(
        _ round: Int, _ options: Options, _ view: StoreView, _ connection: HTTPConnection
    ) throws {
        let finished = try view.newestWithPieces()
        for batch in 0..<200 {
            let first = batch * 5_000 % options.items
            let numbers = first..<min(first + 5_000, options.items)
            let merge = Requests.merge(numbers, plays: round * 1_000 + batch)
            try connection.edit(Requests.patch(RestartPart.collection, merge))
            usleep(5_000)
            let newest = try view.newestWithPieces()
            if newest > finished, try view.checkpoint(of: collection) < newest { return }
        }
        throw BenchmarkError("no checkpoint became due")
    }
}
