import HTTPCore
import HTTPServer
import Testing

@Suite struct RefusalTests {
    @Test(arguments: RequestSamples.refused)
    func refusesOverASocket(_ text: String, _ status: Int) throws {
        // A body of a megabyte and more is within this handler's limit, so that one is the parser's table only.
        let bytes = RequestSamples.bytes(
            text.replacing("Content-Length: 1000001", with: "Content-Length: 10000001") + RequestSamples.next)
        try TestServer.run { test in
            let client = try test.connect()
            try client.send(bytes)
            let reply = try client.receive()
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply["connection"] == "close")
            #expect(reply["content-type"] == "application/problem+json")
            let (rest, isOrderly) = client.receiveToEnd()
            #expect(rest.isEmpty && isOrderly, "\(String(decoding: rest, as: UTF8.self))")
            #expect(test.handler.paths == [])
            #expect(!test.handler.admittedPaths.contains("/smuggled"))
            #expect(test.server.metrics.refusals == 1)
        }
    }

    @Test(arguments: RequestSamples.taken)
    func takesOverASocket(_ text: String) throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send(RequestSamples.bytes(text))
            client.endSending()
            let (bytes, isOrderly) = client.receiveToEnd()
            #expect(isOrderly)
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(test.handler.paths.count == 1)
        }
    }

    @Test(arguments: Wire.allCases) func answersAClientThatIsStillSending(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let body = [UInt8](repeating: 65, count: 20_000_000)
            for head in [
                "PUT /big HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n",
                "PUT /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n\r\n",
                "bad\r\n",
            ] {
                let client = try test.connect()
                try client.send(head)
                try client.send(body)
                client.endSending()
                let reply = try client.receive()
                #expect(reply.status == (head.contains("big") ? 413 : head.contains("refused") ? 415 : 400))
                #expect(reply["connection"] == "close")
                #expect(client.receiveToEnd() == ([], true))
            }
            #expect(test.handler.paths == [])
        }
    }

    @Test(arguments: Wire.allCases) func refusesByAdmission(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            // Without a body the connection goes on; with one it does not.
            try client.send("GET /refused HTTP/1.1\r\nHost: a\r\n\r\nGET /ok HTTP/1.1\r\nHost: a\r\n\r\n")
            let first = try client.receive()
            #expect(first.status == 415 && first["connection"] == nil)
            #expect(try client.receive().text == "GET /ok ")
            try client.send("PUT /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 44\r\n\r\n" + RequestSamples.next)
            let second = try client.receive()
            #expect(second.status == 415 && second["connection"] == "close")
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.handler.paths == ["/ok"])
        }
    }

    @Test(arguments: Wire.allCases) func limitsBodiesByAdmission(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            for (body, status) in [
                ("Content-Length: 10\r\n\r\n1234567890", 200), ("Content-Length: 11\r\n\r\n", 413),
                ("Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n5\r\n12345\r\n0\r\n\r\n", 200),
                ("Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n6\r\n123456\r\n0\r\n\r\n", 413),
            ] {
                let client = try test.connect()
                try client.send("PUT /small HTTP/1.1\r\nHost: a\r\n" + body)
                #expect(try client.receive().status == status, "\(body)")
            }
        }
    }

    @Test(arguments: Wire.allCases) func turnsAwayTooManyConnections(_ wire: Wire) throws {
        try TestServer.run(over: wire, configure: { $0.maxConnections = 2 }) { test in
            var kept = [try test.connect(), try test.connect()]
            for client in kept {
                try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 200)
            }
            let third = try test.connect()
            try third.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            let reply = try third.receive()
            #expect(reply.status == 503 && reply["retry-after"] != nil && reply["connection"] == "close")
            #expect(third.receiveToEnd() == ([], true))
            #expect(test.server.metrics.openConnections == 2)
            #expect(test.server.metrics.rejectedConnections == 1)
            kept.removeLast()
            eventually("the place is free again") { test.server.metrics.openConnections == 1 }
            let fourth = try test.connect()
            try fourth.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try fourth.receive().status == 200)
            #expect(test.handler.paths == ["/a", "/a", "/c"])
        }
    }
}
