import HTTPCore
import HTTPServer
import Testing

/// Whom connections and requests are counted for.
@Suite struct ClientAddressTests {
    @Test(arguments: Wire.allCases) func connectionsOfOneAddressAreLimited(_ wire: Wire) throws {
        try TestServer.run(
            over: wire,
            configure: {
                $0.connectionsPerAddress = 3
                $0.loopbackIsExempt = false
            }
        ) { test in
            var clients = try (0..<3).map { _ in try test.connect(from: "127.0.0.2") }
            for client in clients {
                try client.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == "127.0.0.2")
            }
            for _ in 0..<2 {
                let more = try test.connect(from: "127.0.0.2")
                let reply = try more.receive()
                #expect(reply.status == 503 && reply["retry-after"] == "1" && reply["connection"] == "close")
                #expect(reply.text.contains("from this address"))
                #expect(more.receiveToEnd() == ([], true))
            }
            #expect(test.server.metrics.rejectedConnections == 2)
            let other = try test.connect(from: "127.0.0.3")
            try other.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try other.receive().text == "127.0.0.3")
            // A place that is free again is given again.
            clients.removeLast().reset()
            eventually("closed") { test.server.metrics.openConnections == 3 }
            let again = try test.connect(from: "127.0.0.2")
            try again.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try again.receive().text == "127.0.0.2")
            withExtendedLifetime(clients) {}
        }
    }

    @Test(arguments: [true, false]) func loopbackAndTrustedProxiesAreExempt(_ isLoopbackExempt: Bool) throws {
        try TestServer.run(configure: {
            $0.connectionsPerAddress = 1
            $0.loopbackIsExempt = isLoopbackExempt
            if !isLoopbackExempt { _ = $0.proxies.add("127.0.0.2") }
        }) { test in
            let clients = try (0..<5).map { _ in try test.connect(from: "127.0.0.2") }
            for client in clients {
                try client.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == "127.0.0.2")
            }
            #expect(test.server.metrics.rejectedConnections == 0)
        }
    }

    @Test func forwardedAddressesCountFromTrustedProxiesOnly() throws {
        try TestServer.run(configure: { _ = $0.proxies.add("127.0.0.2") }) { test in
            let fields = "X-Forwarded-For: 198.51.100.9, 203.0.113.7\r\nX-Forwarded-Proto: https\r\n"
            for (source, address, scheme) in [
                ("127.0.0.2", "203.0.113.7", "https"), ("127.0.0.3", "127.0.0.3", "http"),
            ] {
                let client = try test.connect(from: source)
                try client.send("GET /address HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                #expect(try client.receive().text == address)
                try client.send("GET /scheme HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                #expect(try client.receive().text == scheme)
                // The next request may be another client's.
                try client.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().text == source)
            }
        }
    }
}
