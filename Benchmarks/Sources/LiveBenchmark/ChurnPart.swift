import Glibc

/// Polls and streams opened and reset by their clients in turns: what the server holds for them is given back.
struct ChurnPart {
    /// How often each is done.
    private static let rounds = 3
    /// Within this all is to be given back, in milliseconds.
    private static let most = 1000.0

    static func run(_ options: Options) throws {
        Table.begin("\(options.connections) polls, then as many streams, opened and reset")
        let server = try Medley(options)
        let revision = try server.edit()
        let descriptors = try server.process.descriptors()
        let before = try server.process.resident()
        Table.row(
            "MiB resident; before: \(mebibytes(before))", "held", "after reset", "resetting, ms", "given back, ms")
        var slowest = 0.0
        var after: [Double] = []
        for round in 1...rounds {
            for (name, gauge, request) in [
                ("polls", "medley_held_requests", Medley.poll(since: revision)),
                ("streams", "medley_event_streams", Medley.stream(since: revision)),
            ] {
                var crowd: Crowd? = try Crowd(options.connections, port: server.port)
                try crowd?.send(request)
                try server.wait(for: gauge, options.connections)
                let held = try server.process.resident()
                let start = nanoseconds()
                crowd = nil
                let resetting = milliseconds(since: start)
                try server.wait(for: gauge, 0)
                // The connection that asks is the one that is left.
                try server.wait(for: "medley_connections", 1)
                while try server.process.descriptors() > descriptors {
                    guard milliseconds(since: start) < 30_000 else { throw BenchmarkError("descriptors are left") }
                    usleep(2_000)
                }
                let time = milliseconds(since: start)
                slowest = max(slowest, time)
                after.append(try server.process.resident())
                Table.row(
                    "\(name), round \(round)", mebibytes(held), mebibytes(after.last ?? .nan),
                    Table.number(resetting, 0),
                    Table.number(time, 0))
            }
        }
        Table.goal("gauges and descriptors fall back within a second", slowest <= most)
        // The allocator keeps what it had from the system, for the next; it must not want more each time.
        let (first, last) = (after[1], after[after.count - 1])
        Table.goal("the last round leaves no more than the first", last <= first * 1.05)
    }

    private static func mebibytes(_ bytes: Double) -> String { Table.number(bytes / 1_048_576) }
}
