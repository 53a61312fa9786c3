import Glibc

/// One edit told to all who wait, by the server and by the one in C in turns, with the memory that each who waits takes.
struct FanOutPart {
    /// How those wait.
    enum Kind {
        case polls, streams
    }

    private struct Figures {
        var times: [Crowd.Times] = []
        var processor: [Double] = []
        var bytes: [Double] = []
        var bytesAfter: [Double] = []
        var waiting: [Double] = []
        var joining: [Double] = []

        func middle(_ key: KeyPath<Crowd.Times, Double>) -> Double { median(times.map { $0[keyPath: key] }) }
    }

    /// The rounds that one crowd of connections lives for.
    private static let turn = 3
    /// The most bytes of memory for each who waits.
    private static let mostBytes = 2048.0
    /// How many times as long as the bare server it may take.
    private static let mostTimes = 3.0

    let options: Options
    let kind: Kind
    private var medley = Figures()
    private var bare = Figures()

    init(_ options: Options, _ kind: Kind) {
        self.options = options
        self.kind = kind
    }

    mutating func run() throws {
        Table.begin("\(options.connections) \(kind == .polls ? "held polls" : "event streams"), \(options.loops) loops")
        var left = options.rounds
        while left > 0 {
            // Anew each time: memory that an earlier crowd has left would hide what this one takes.
            let bytes = try medleyTurn(try Medley(options), rounds: min(left, Self.turn))
            try bareTurn(try Bare(options), rounds: min(left, Self.turn), bytes: bytes)
            left -= Self.turn
        }
        report()
    }

    /// Returns how many bytes each was sent at last.
    private mutating func medleyTurn(_ server: Medley, rounds: Int) throws -> Int {
        let gauge = kind == .polls ? "medley_held_requests" : "medley_event_streams"
        var revision = try server.edit()
        let before = try server.process.resident()
        let start = nanoseconds()
        let crowd = try Crowd(options.connections, port: server.port)
        try crowd.send(kind == .polls ? Medley.poll(since: revision) : Medley.stream(since: revision))
        if kind == .streams { _ = try crowd.receive(.event) }
        try server.wait(for: gauge, options.connections)
        medley.joining.append(milliseconds(since: start))
        medley.bytes.append((try server.process.resident() - before) / Double(options.connections))
        medley.waiting.append(try Self.idleTime(of: server.process))
        var length = 0
        for round in 0..<rounds {
            if round > 0, kind == .polls {
                try crowd.send(Medley.poll(since: revision))
                try server.wait(for: gauge, options.connections)
            }
            let processor = try server.process.processorTime()
            let start = nanoseconds()
            try server.sendEdit()
            let times = try crowd.receive(kind == .polls ? .response : .event, since: start)
            medley.times.append(times)
            medley.processor.append(try server.process.processorTime() - processor)
            revision = try server.receiveEdit()
            length = times.bytes
        }
        medley.bytesAfter.append((try server.process.resident() - before) / Double(options.connections))
        return length
    }

    private mutating func bareTurn(_ server: Bare, rounds: Int, bytes: Int) throws {
        let request = kind == .polls ? Medley.poll(since: "k3f9a2b1-42") : Medley.stream(since: "k3f9a2b1-42")
        let before = try server.process.resident()
        let start = nanoseconds()
        let crowd = try Crowd(options.connections, port: server.port)
        try crowd.send(request)
        try server.wait(for: options.connections)
        bare.joining.append(milliseconds(since: start))
        bare.bytes.append((try server.process.resident() - before) / Double(options.connections))
        bare.waiting.append(try Self.idleTime(of: server.process))
        for round in 0..<rounds {
            if round > 0, kind == .polls { try crowd.send(request) }
            try server.wait(for: options.connections)
            let processor = try server.process.processorTime()
            let start = nanoseconds()
            try server.trigger(bytes)
            bare.times.append(try crowd.receive(.bytes(bytes), since: start))
            bare.processor.append(try server.process.processorTime() - processor)
            try server.confirm()
        }
        bare.bytesAfter.append((try server.process.resident() - before) / Double(options.connections))
    }

    /// The processor's milliseconds that a second costs in which nothing happens.
    private static func idleTime(of process: ChildProcess) throws -> Double {
        let before = try process.processorTime()
        let start = nanoseconds()
        usleep(1_000_000)
        return (try process.processorTime() - before) / milliseconds(since: start) * 1000
    }

    private func report() {
        Table.row("medians of \(medley.times.count) rounds", "medley", "bare C", "ratio")
        func row(_ name: String, _ digits: Int, _ value: (Figures) -> Double) {
            let (a, b) = (value(medley), value(bare))
            Table.row(name, Table.number(a, digits), Table.number(b, digits), Table.ratio(a, b))
        }
        row("edit to the last byte of half of them, ms", 1) { $0.middle(\.p50) }
        row("edit to the last byte of 99 %, ms", 1) { $0.middle(\.p99) }
        row("edit to the last byte of all, ms", 1) { $0.middle(\.last) }
        row("the same, best round, ms", 1) { $0.times.map(\.last).min() ?? .nan }
        row("the same, worst round, ms", 1) { $0.times.map(\.last).max() ?? .nan }
        row("processor's time of the server, ms", 1) { median($0.processor) }
        row("the same for a second of waiting, ms", 1) { median($0.waiting) }
        row("resident for each who waits, bytes", 0) { median($0.bytes) }
        row("the same, after the edits, bytes", 0) { median($0.bytesAfter) }
        row("until all wait, ms", 0) { median($0.joining) }
        Table.row("bytes sent to each", "\(medley.times.last?.bytes ?? 0)", "\(bare.times.last?.bytes ?? 0)")
        Table.goal("2 KiB resident for each", median(medley.bytes) <= Self.mostBytes)
        Table.goal("3 times the bare server's last byte", medley.middle(\.last) <= Self.mostTimes * bare.middle(\.last))
    }
}
