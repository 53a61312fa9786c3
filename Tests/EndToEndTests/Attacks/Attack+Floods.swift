import Foundation
import Testing

extension Attack {
    /// More than a server can keep.
    static let floods = [
        Attack(name: "header fields without end") { server in
            try flood(server, AttackedServer.head("GET", "/healthz"), "X-Field: \(pad)\r\n", statuses: [431])
        },
        Attack(name: "a header field without end") { server in
            try flood(server, AttackedServer.head("GET", "/healthz") + "X-Field: ", pad, statuses: [431])
        },
        Attack(name: "a target without end") { server in try flood(server, "GET /", pad, statuses: [414]) },
        Attack(name: "a million small ids in one query") { server in
            try flood(server, "GET /v1/collections/mix/items?ids=", "a,b,c,d,e,f,g,h,", statuses: [414])
        },
        Attack(name: "a body without end", memory: 1 << 30) { server in
            // 503 where all of them together are too much before one is.
            try flood(
                server, patch + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n\(block)\r\n", statuses: [413, 503])
        },
        Attack(name: "trailers without end") { server in
            try flood(
                server, patch + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", "X-Field: \(pad)\r\n",
                statuses: [431]
            )
        },
        Attack(name: "an extension of a chunk without end") { server in
            try flood(server, patch + "Transfer-Encoding: chunked\r\n\r\n2;", "a=\(pad);", statuses: [400])
        },
        Attack(name: "a body that is said to be a terabyte") { server in
            for _ in 0..<100 {
                let client = try server.connect()
                try client.send(patch + "Content-Length: 1099511627776\r\n\r\n")
                #expect(try client.receive().status == 413)
            }
        },
        Attack(name: "large bodies that never come to their end", memory: 768 << 20) { server in
            // Each within its limit; what matters is what they come to.
            let count = server.isWhole ? 100 : 20
            let clients = try server.connections(count)
            for client in clients { try client.send(patch + "Content-Length: 60000000\r\n\r\n") }
            try server.inThreads(4) { index in
                for number in stride(from: index, to: count, by: 4) {
                    for _ in 0..<800 where !clients[number].hasInput { try? clients[number].send(block) }
                }
            }
            let refused = clients.filter(\.hasInput)
            let answers = refused.map { String(decoding: $0.receiveToEnd().bytes.prefix(12), as: UTF8.self) }
            // What was sent on behind the refusal may reset the connection before it is read.
            #expect(answers.contains("HTTP/1.1 503"), "\(answers)")
            #expect(answers.allSatisfy { ["", "HTTP/1.1 503", "HTTP/1.1 408"].contains($0) }, "\(answers)")
        },
        Attack(name: "a million chunks of a byte") { server in
            let chunks = String(repeating: "1\r\n \r\n", count: 10_000)
            try server.inThreads(4) { _ in
                let client = try server.connect()
                try client.send(patch + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<(server.isWhole ? 100 : 5) { try client.send(chunks) }
                try client.send("2\r\n[]\r\n0\r\n\r\n")
                #expect(try client.receive().status == 400)
            }
        },
        Attack(name: "large answers to small requests, unread", memory: 512 << 20) { server in
            try server.makeLargeCollection()
            let targets = [
                "/v1/collections/large", "/v1/collections/large/items?limit=10000",
                "/v1/collections/large/stores/music",
                "/v1/collections/large?models=none", "/v1/collections/large/changes", "/v1/collections/large/events",
                "/medley.js", "/openapi.yaml", "/v1/events",
            ]
            let clients = try (0..<(server.isWhole ? 1_000 : 100)).map { _ in try server.connect(receiveBuffer: 4_096) }
            for (index, client) in clients.enumerated() {
                let coding = index % 2 == 0 ? "" : "Accept-Encoding: gzip\r\n"
                try client.send(AttackedServer.head("GET", targets[index % targets.count]) + coding + "\r\n")
            }
            for client in clients { #expect(try client.receiveHead().status / 100 != 5) }
        },
    ]

    private static let patch =
        AttackedServer.head("PATCH", "/v1/collections/mix") + "Content-Type: application/json\r\n"
    private static let pad = String(repeating: "a", count: 1_000)
    private static let block = String(repeating: " ", count: 65_536)

    /// Sends a part again and again, until the server answers; behind that it takes no more than its time to linger. Then
    /// the answer must be there, and the end of the connection.
    private static func flood(_ server: AttackedServer, _ beginning: String, _ part: String, statuses: [Int]) throws {
        // More than all limits together let through.
        let enough = 256 << 20
        let parts = String(repeating: part, count: max(1, 65_536 / part.utf8.count))
        let goesOn = server.isWhole
        try server.inThreads(goesOn ? 32 : 4) { _ in
            let client = try server.connect()
            try client.send(beginning)
            var sent = 0
            while sent < enough, goesOn || !client.hasInput {
                do { try client.send(parts) } catch { break }
                if !client.hasInput { sent += parts.utf8.count }
            }
            #expect(sent < enough, "the server takes it without end")
            let text = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
            // What was sent on behind the refusal may reset the connection before it is read.
            let isRefused = statuses.contains { text.hasPrefix("HTTP/1.1 \($0)") }
            #expect((goesOn && text.isEmpty) || isRefused, "\(text)")
        }
    }
}
