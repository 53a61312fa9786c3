import Glibc

/// Many writers, each with a connection of its own and one edit under way, on one thread.
struct LoadGenerator {
    let port: UInt16
    let collections: [String]
    /// The items of each collection, named `m0` and on.
    let items: Int
    /// Whether a third of the edits are inserts.
    var inserts = true

    struct Result {
        var latencies = Samples()
        var seconds = 0.0
        var refused = 0
    }

    private struct Writer {
        let connection: HTTPConnection
        var edits: Int
        var sent: UInt64 = 0
    }

    /// Edits for so long; `run` names the items that are inserted, so that no two runs insert the same.
    func run(writers count: Int, seconds limit: Double, run: String) throws -> Result {
        var writers = try (0..<count).map { _ in Writer(connection: try HTTPConnection(port: port), edits: 0) }
        var polled = writers.map { pollfd(fd: $0.connection.descriptor, events: Int16(POLLIN), revents: 0) }
        var result = Result()
        let start = nanoseconds()
        let end = start + UInt64(limit * 1e9)
        for index in writers.indices { try send(&writers[index], index, run) }
        var underWay = count
        while underWay > 0 {
            let ready = poll(&polled, nfds_t(count), 10_000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw BenchmarkError("no answer within 10 s") }
            for index in polled.indices where polled[index].revents != 0 {
                guard let answer = try writers[index].connection.receive() else { continue }
                let now = nanoseconds()
                if answer.status != 200 { result.refused += 1 }
                result.latencies.add(now - writers[index].sent)
                if now < end {
                    try send(&writers[index], index, run)
                } else {
                    polled[index].events = 0
                    underWay -= 1
                }
            }
        }
        result.seconds = seconds(since: start)
        return result
    }

    /// Sends a writer's next edit: in turn a like, a merge, an insert.
    private func send(_ writer: inout Writer, _ index: Int, _ run: String) throws {
        let number = writer.edits
        writer.edits += 1
        let item = (index &* 7_919 &+ number &* 31) % items
        let body: [UInt8]
        switch inserts ? number % 3 : number % 2 {
        case 0: body = Requests.toggleLike(item)
        // A value that the item cannot have had: an edit without effect makes no revision.
        case 1: body = Requests.merge(item..<item + 1, plays: Int(nanoseconds()))
        default:
            var insert = Array(#"{"changes":[{"op":"insert","after":"m\#(item)","items":["#.utf8)
            Requests.appendItem("\(run)-\(index)-\(number)", number, to: &insert)
            insert.append(contentsOf: "]}]}".utf8)
            body = insert
        }
        writer.sent = nanoseconds()
        try writer.connection.send(Requests.patch(collections[index % collections.count], body))
    }
}
