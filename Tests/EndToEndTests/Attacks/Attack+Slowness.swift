import Foundation
import Glibc
import Testing

extension Attack {
    /// Clients that take their time, so that the server's connections, memory or loops are used up.
    static let slowness = [
        Attack(name: "a byte a second in the head") { server in
            try drip(to: server, after: "GET /v1/collections/mix HTTP/1.1\r\nHost: localhost\r\nX: ")
        },
        Attack(name: "a byte a second in the body") { server in
            try drip(
                to: server,
                after: AttackedServer.head("PATCH", "/v1/collections/mix")
                    + "Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{\"changes\":[\"")
        },
        Attack(name: "a chunk of a byte a second") { server in
            try drip(
                to: server,
                after: AttackedServer.head("PATCH", "/v1/collections/mix")
                    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", each: "1\r\n \r\n")
        },
        Attack(name: "a byte a second in reading", memory: 256 << 20) { server in
            try server.makeLargeCollection()
            let count = server.isWhole ? 500 : 50
            let clients = try (0..<count).map { _ in try server.connect(receiveBuffer: 4_096) }
            // Compressed it would fit into the system's buffers, and nobody would wait.
            for client in clients { try client.send(AttackedServer.head("GET", "/v1/collections/large") + "\r\n") }
            server.untilDeadlines { for client in clients { try? client.skip(1) } }
            // Who reads nothing to speak of does not keep its connection, but before its time has come it does.
            guard server.isWhole else { return try server.waitForConnections(count...) }
            try server.waitForConnections(...20)
        },
        Attack(name: "thousands of idle connections") { server in
            let count = server.isWhole ? 5_000 : 500
            let clients = try server.connections(count)
            try server.waitForConnections(count...)
            // They are not in the way, and are served as soon as they ask.
            for client in clients.prefix(20) + clients.suffix(20) {
                try client.send(AttackedServer.head("GET", "/healthz") + "\r\n")
                #expect(try client.receive().status == 200)
            }
        },
        Attack(name: "connections opened and reset") { server in
            let count = server.isWhole ? 2_000 : 200
            try server.inThreads(4) { index in
                for number in 0..<count {
                    let client = try server.connect()
                    let target = "/v1/collections/mix/\((number + index) % 2 == 0 ? "events" : "changes?wait=60")"
                    if number % 3 > 0 { try? client.send(AttackedServer.head("GET", target) + "\r\n") }
                    client.reset()
                }
            }
            try server.waitForConnections(...20)
        },
    ]

    /// Has many clients send a beginning and then a bit of the rest each second. A server that is not fooled answers 408 when
    /// the time for a request is over. No option makes that time shorter, so the 408 is seen only where attacks last as long as
    /// the server's deadlines; cut short, it is that the server holds them all, and answers none before its time.
    private static func drip(to server: AttackedServer, after beginning: String, each bit: String = "a") throws {
        let clients = try server.connections(server.isWhole ? 1_000 : 100)
        for client in clients { try client.send(beginning) }
        server.untilDeadlines { for client in clients { try? client.send(bit) } }
        guard server.isWhole else { return try server.expectHolds(clients) }
        for client in clients {
            let text = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
            // What was sent on behind the end may reset the connection before the answer is read.
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 408"), "\(text)")
        }
        try server.waitForConnections(...20)
    }
}

extension AttackedServer {
    /// Does something each second until all deadlines are over; cut short, a few times and at once.
    func untilDeadlines(_ work: () -> Void) {
        for _ in 0..<(isWhole ? 45 : 5) {
            work()
            if isWhole { usleep(1_000_000) }
        }
    }

    /// Makes a collection whose snapshot no socket's buffers hold.
    func makeLargeCollection() throws {
        let title = String(repeating: "x", count: 1_000)
        let items = (0..<20_000).map { #"{"id":"i\#($0)","type":"music","title":"\#(title)"}"# }.joined(separator: ",")
        let reply = try ask(
            "PUT", "/v1/collections/large", token: admin,
            json: Array(#"{"sections":[{"id":"all","items":[\#(items)]}]}"#.utf8))
        try #require(reply.status == 201, "\(reply.text)")
    }

    /// Checks that the server has connections open, and has neither answered nor ended one of them.
    func expectHolds(_ clients: [TestClient]) throws {
        try waitForConnections(clients.count...)
        #expect(!clients.contains { $0.hasInput })
    }

    /// Waits until the server has so many connections open, the honest client's among them: it is told of each beginning and
    /// end in its own time.
    func waitForConnections(_ counts: some RangeExpression<Int>) throws {
        try eventually("\(counts) connections are open") { counts.contains(try openConnections()) }
    }
}
