import Glibc

/// A `medley serve` of its own, with the samples in memory.
final class Medley {
    static let collection = "/v1/collections/mix"

    let process: ChildProcess
    let port: UInt16
    private let connection: Int32

    init(_ options: Options) throws {
        port = try Socket.freePort()
        process = try ChildProcess(
            options.server,
            ["serve", "--memory", "--sample", "--listen", "127.0.0.1:\(port)", "--loops", "\(options.loops)",
                "--access-log", "off",
            ])
        connection = try retrying { [port, process] in
            if process.hasEnded { throw BenchmarkError("the server has ended") }
            return try Socket.connect(port: port, number: 0)
        }
        // What a first request brings about is no part of what those who wait cost.
        for _ in 0..<100 {
            _ = try ask(Self.request("GET", Self.collection))
            _ = try edit()
        }
    }

    deinit { close(connection) }

    static func request(_ method: String, _ target: String, _ fields: String = "", _ body: String = "") -> [UInt8] {
        Array("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(body)".utf8)
    }

    /// The request of a poll that is held, or of a stream.
    static func poll(since revision: String) -> [UInt8] {
        request("GET", "\(collection)/changes?since=\(revision)&wait=60")
    }
    static func stream(since revision: String) -> [UInt8] {
        request("GET", "\(collection)/events?since=\(revision)", "Accept: text/event-stream\r\n")
    }

    /// Sends an edit, without waiting for its answer.
    func sendEdit() throws {
        let body = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#
        try Socket.send(
            Self.request(
                "PATCH", Self.collection, "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n",
                body),
            to: connection)
    }

    /// The revision that an edit led to.
    func receiveEdit() throws -> String {
        let answer = try receive()
        guard answer.status == 200, let revision = answer["Revision"] else {
            throw BenchmarkError("the edit was answered with \(answer.status)")
        }
        return revision
    }

    func edit() throws -> String {
        try sendEdit()
        return try receiveEdit()
    }

    /// A gauge or counter of `GET /metrics`.
    func metric(_ name: String) throws -> Int {
        let answer = try ask(Self.request("GET", "/metrics"))
        let line = String(answer.body)?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        guard let value = line?.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw BenchmarkError("/metrics lacks \(name)")
        }
        return value
    }

    /// Waits until a gauge has a value.
    func wait(for name: String, _ value: Int) throws {
        let deadline = nanoseconds() + 30_000_000_000
        while true {
            let found = try metric(name)
            if found == value { return }
            guard nanoseconds() < deadline else { throw BenchmarkError("\(name) is \(found), not \(value)") }
            usleep(2_000)
        }
    }

    private func ask(_ request: [UInt8]) throws -> Answer {
        try Socket.send(request, to: connection)
        return try receive()
    }

    private func receive() throws -> Answer {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { throw BenchmarkError("the server closed the connection of the edits") }
            bytes += buffer[..<count]
            if let answer = Answer(bytes), bytes.count >= answer.byteCount { return answer }
        }
    }
}

/// The result of a call that may fail for some seconds.
func retrying<Value>(_ body: () throws -> Value) throws -> Value {
    let deadline = nanoseconds() + 10_000_000_000
    while true {
        do { return try body() } catch { if nanoseconds() > deadline { throw error } }
        usleep(2_000)
    }
}
