import EventLoop
import HTTPCore
import HTTPServer
import Testing

@Suite struct ServerTests {
    @Test(arguments: Wire.allCases) func keepsConnections(_ wire: Wire) throws {
        try TestServer.run(loops: 2, over: wire) { test in
            let client = try test.connect()
            for number in 0..<3 {
                try client.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
                let reply = try client.receive()
                #expect(reply.status == 200 && reply.text == "POST /\(number) hi")
                #expect(reply["connection"] == nil && reply["date"]?.hasSuffix(" GMT") == true)
                #expect(reply["content-type"] == "text/plain")
            }
            try client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + RequestSamples.next)
            let last = try client.receive()
            #expect(last["connection"] == "close" && last.text == "GET /last ")
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.handler.paths == ["/0", "/1", "/2", "/last"])
            let metrics = test.server.metrics
            #expect(metrics.requests == 4 && metrics.acceptedConnections == 1)
            eventually("all are observed") { test.observer.all.map(\.path) == ["/0", "/1", "/2", "/last"] }
            let records = test.observer.all
            #expect(records[0].method == "POST" && records[0].status == 200 && records[0].bodyBytes == 10)
            #expect(!records.contains { !$0.isComplete })
            #expect(records[0].peer.hasPrefix("127.0.0.1:"))
        }
    }

    @Test(arguments: ["echo", "hop"])
    func answersPipelinedRequestsInOrder(_ path: String) throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send((0..<1_000).map { "GET /\(path)/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for number in 0..<1_000 {
                let reply = try client.receive()
                #expect(reply.text.contains("/\(path)/\(number)"))
            }
        }
    }

    @Test func stopsReadingFromAClientThatReadsNothing() throws {
        try TestServer.run { test in
            let client = try test.connect(receiveBuffer: 65_536)
            let request = "GET /bytes/1000 HTTP/1.1\r\nHost: a\r\n\r\n"
            // The client sends on another thread, since the server stops reading when its responses are not taken.
            test.handler.otherThread.execute {
                for _ in 0..<200 { try? client.send(String(repeating: request, count: 100)) }
            }
            for _ in 0..<20_000 {
                let reply = try client.receive()
                #expect(reply.body.count == 1_000)
            }
            #expect(test.handler.paths.count == 20_000)
        }
    }

    @Test func boundsInputWhileARequestIsPending() throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            let filling = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
            var sent = client.fill(filling)
            eventually("the server reads up to its limit") { test.server.metrics.bytesIn > 65_536 }
            sent += client.fill(filling)
            #expect(sent > 262_144)
            #expect(test.server.metrics.bytesIn < 262_144)
            #expect(test.handler.paths == ["/later"])
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("now")) }
            #expect(try client.receive().text == "now")
            for _ in 0..<100 { #expect(try client.receive().text == "GET /x ") }
        }
    }

    @Test(arguments: Wire.allCases) func answersHead(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            for path in ["/echo", "/bytes/100000", "/length/100000", "/stream/100000"] {
                try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let get = try client.receive()
                try client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.receive(toHead: true)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head["transfer-encoding"] == get["transfer-encoding"])
                if path != "/echo" { #expect(head["content-length"] == get["content-length"]) }
            }
            try client.send("HEAD /refused HTTP/1.1\r\nHost: a\r\n\r\nGET /none HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive(toHead: true)["content-length"] == "2")
            let none = try client.receive()
            #expect(none.status == 204 && none["content-length"] == nil)
            try client.send("GET /same HTTP/1.1\r\nHost: a\r\n\r\n")
            let same = try client.receive()
            #expect(same.status == 304 && same["content-length"] == nil && same["transfer-encoding"] == nil)
        }
    }

    @Test(arguments: Wire.allCases) func continuesOnlyWhatIsAdmitted(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try client.receive().status == 100)
            try client.send("hi")
            #expect(try client.receive().text == "PUT /a hi")
            // Not when the body is there already.
            try client.send("PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi")
            #expect(try client.receive().text == "PUT /b hi")
            for head in ["PUT /refused", "PUT /small"] {
                let other = try test.connect()
                try other.send("\(head) HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\nExpect: 100-continue\r\n\r\n")
                let reply = try other.receive()
                #expect(reply.status == (head == "PUT /small" ? 413 : 415) && reply["connection"] == "close")
                #expect(other.receiveToEnd() == ([], true))
            }
            #expect(test.handler.paths == ["/a", "/b"])
        }
    }

    @Test(arguments: Wire.allCases) func speaksHTTP10(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let kept = try test.connect()
            try kept.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try kept.receive()["connection"] == "keep-alive")
            try kept.send("GET /stream/50000 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let streamed = try kept.receive()
            #expect(streamed["connection"] == "close" && streamed["transfer-encoding"] == nil)
            #expect(streamed["content-length"] == nil && streamed.body == TestStream.content(50_000))
            let closed = try test.connect()
            try closed.send("GET /a HTTP/1.0\r\n\r\n")
            #expect(try closed.receive()["connection"] == "close")
            #expect(closed.receiveToEnd() == ([], true))
        }
    }

    @Test(arguments: ["bytes", "length", "stream"], [0, 1, 4_096, 4_097, 300_000, 3_000_000])
    func sendsBodies(_ kind: String, _ size: Int) throws {
        try TestServer.run { test in
            let client = try test.connect()
            let path = "/\(kind)/\(size)"
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\nGET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            for _ in 0..<2 {
                let reply = try client.receive()
                #expect(reply.body == TestStream.content(size))
                #expect((reply["transfer-encoding"] == "chunked") == (kind == "stream"))
            }
            eventually("both are observed") { test.observer.all.map(\.bodyBytes) == [size, size] }
        }
    }

    @Test(arguments: Wire.allCases) func streamsToASlowReader(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let size = 64_000_000
            let client = try test.connect(receiveBuffer: 65_536)
            try client.send("GET /length/\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
            try client.skip(100_000)
            // Another connection of the same loop is served meanwhile.
            let other = try test.connect()
            for _ in 0..<50 {
                try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try other.receive().status == 200)
            }
            #expect(test.handler.produced.value < size / 2, "what the client does not read is not made")
            try client.skip(size - 100_000)
            #expect(test.handler.produced.value == size)
        }
    }

    @Test(arguments: ["short", "long"])
    func cutsABodyOfAnotherLengthThanAnnounced(_ kind: String) throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send("GET /\(kind)/30000 HTTP/1.1\r\nHost: a\r\n\r\n" + RequestSamples.next)
            #expect(throws: TestClient.Failure.self) { try client.receive() }
            #expect(!test.handler.paths.contains("/smuggled"))
        }
    }

    @Test(arguments: Wire.allCases) func takesTheFirstOfTwoReplies(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /twice HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "first")
            #expect(try client.receive().text == "GET /x ")
        }
    }

    @Test(arguments: Wire.allCases) func sharesAPortAmongLoops(_ wire: Wire) throws {
        try TestServer.run(loops: 3, over: wire) { test in
            for _ in 0..<30 {
                let client = try test.connect()
                try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 200)
            }
            let address = test.server.addresses[0]
            #expect(throws: EventLoopError.self) { try ListeningSocket.sharing(address, count: 1) }
        }
    }

    @Test func listensOnIPv6() throws {
        let handler = try TestHandler()
        defer {
            handler.otherThread.stop()
            handler.otherThread.join()
        }
        guard let address = try? SocketAddress(parsing: "[::1]:0"),
            let sockets = try? ListeningSocket.sharing(address, count: 2)
        else { return }  // the machine has no IPv6
        #expect(sockets[0].address.description.hasPrefix("[::1]:"))
        #expect(sockets[0].address == sockets[1].address && sockets[0].address.port != 0)
    }

    @Test(arguments: ["127.0.0.1:0", "[::1]:8080", "localhost:1", "0.0.0.0:65535"])
    func parsesAddresses(_ text: String) throws {
        let address = try SocketAddress(parsing: text)
        #expect(address.description == text.replacing("localhost", with: "127.0.0.1"))
    }

    @Test(arguments: [
        "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[::1:80", "a:1", "1.2.3.4:+5",
    ])
    func refusesAddresses(_ text: String) {
        #expect(throws: EventLoopError.self) { try SocketAddress(parsing: text) }
    }
}
