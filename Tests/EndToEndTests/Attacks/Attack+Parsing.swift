import Foundation
import Testing

extension Attack {
    /// Requests that another server, in front of this one, may take for something else.
    static let parsing = [
        Attack(name: "smuggled requests") { server in
            for (name, request) in smugglings {
                let client = try server.connect()
                try client.send(request)
                let answer = client.receiveToEnd()
                let text = String(decoding: answer.bytes, as: UTF8.self)
                let count = text.components(separatedBy: "\r\nDate: ").count - 1
                // One answer, a refusal, and the end: what follows is not looked at.
                #expect(
                    count == 1 && ["400", "413", "501", "505"].contains(text.dropFirst(9).prefix(3)), "\(name): \(text)"
                )
            }
            #expect(try server.ask("GET", "/v1/collections/mix").status == 200)
        },
        Attack(name: "thousands of requests in a row, unread") { server in
            let requests = String(
                repeating: AttackedServer.head("GET", "/v1/collections/characters") + "\r\n", count: 2_000)
            let clients = try server.connections(server.isWhole ? 200 : 20)
            for _ in 0..<(server.isWhole ? 20 : 2) {
                for client in clients { _ = client.fill(requests) }
            }
            // Each is answered in order to whoever reads at last.
            for client in clients.prefix(5) {
                for _ in 0..<100 { #expect(try client.receive().status == 200) }
            }
        },
        Attack(name: "thousands of requests in a row, read") { server in
            let requests = String(repeating: AttackedServer.head("GET", "/healthz") + "\r\n", count: 1_000)
            let rounds = server.isWhole ? 50 : 5
            try server.inThreads(4) { _ in
                for _ in 0..<rounds {
                    let client = try TestClient(port: server.port)
                    try client.send(requests)
                    for _ in 0..<1_000 { #expect(try client.receive().status == 200) }
                }
            }
        },
    ]

    /// Each would have the second request carried out if the first were framed in another way.
    private static var smugglings: [(name: String, request: String)] {
        let second = AttackedServer.head("DELETE", "/v1/collections/mix") + "\r\n"
        let size = String(second.utf8.count)
        let patch = "PATCH /v1/collections/mix HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        let chunked = "Transfer-Encoding: chunked\r\n"
        return [
            ("two lengths", patch + "Content-Length: 0\r\nContent-Length: \(size)\r\n\r\n\(second)"),
            ("a list of lengths", patch + "Content-Length: 0, \(size)\r\n\r\n\(second)"),
            ("length and chunked", patch + "Content-Length: \(size)\r\n\(chunked)\r\n0\r\n\r\n\(second)"),
            ("chunked and length", patch + "\(chunked)Content-Length: 5\r\n\r\n0\r\n\r\n\(second)"),
            ("a space before the colon", patch + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n\(second)"),
            ("a tab before the colon", patch + "Content-Length\t: \(size)\r\n\r\n\(second)"),
            ("xchunked", patch + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n\(second)"),
            ("chunked twice", patch + "\(chunked)\(chunked)\r\n0\r\n\r\n\(second)"),
            ("identity", patch + "Transfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n\(second)"),
            ("gzip, chunked", patch + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n\(second)"),
            ("a quoted coding", patch + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n\(second)"),
            ("a vertical tab", patch + "Transfer-Encoding: \u{0B}chunked\r\n\r\n0\r\n\r\n\(second)"),
            ("a folded line", patch + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n\(second)"),
            ("a sign", patch + "Content-Length: +0\r\n\r\n\(second)"),
            ("a negative length", patch + "Content-Length: -1\r\n\r\n\(second)"),
            ("a length of hexadecimal", patch + "Content-Length: 0x0\r\n\r\n\(second)"),
            ("a length beyond 64 bits", patch + "Content-Length: 18446744073709551616\r\n\r\n\(second)"),
            ("an empty length", patch + "Content-Length:\r\n\r\n\(second)"),
            ("a chunk's size beyond 64 bits", patch + "\(chunked)\r\n10000000000000000\r\n\r\n\(second)"),
            ("a negative chunk", patch + "\(chunked)\r\n-1\r\n\r\n\(second)"),
            ("a chunk of 0x0", patch + "\(chunked)\r\n0x0\r\n\r\n\(second)"),
            ("a chunk with a space", patch + "\(chunked)\r\n0 \r\n\r\n\(second)"),
            ("a chunk longer than it says", patch + "\(chunked)\r\n1\r\nab\r\n0\r\n\r\n\(second)"),
            ("a chunk that ends with LF", patch + "\(chunked)\r\n0\n\n\(second)"),
            ("lines that end with LF", "GET /healthz HTTP/1.1\nHost: localhost\n\n\(second)"),
            ("a bare CR", "GET /healthz HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n\(second)"),
            ("NUL in a field", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: a\u{0}b\r\n\r\n\(second)"),
            ("two hosts", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n\(second)"),
            ("no host", "GET /healthz HTTP/1.1\r\n\r\n\(second)"),
            ("a field without a name", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n\(second)"),
            ("a space before the first field", "GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n\(second)"),
            ("two spaces", "GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n\(second)"),
            ("another version", "GET /healthz HTTP/1.2\r\nHost: localhost\r\n\r\n\(second)"),
            ("no version", "GET /healthz\r\nHost: localhost\r\n\r\n\(second)"),
            (
                "a chunked HTTP/1.0",
                "PATCH /v1/collections/mix HTTP/1.0\r\nHost: localhost\r\n\(chunked)\r\n0\r\n\r\n\(second)"
            ),
        ]
    }
}
