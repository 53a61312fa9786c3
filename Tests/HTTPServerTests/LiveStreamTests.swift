import EventLoop
import HTTPCore
import HTTPServer
import Testing

@Suite struct LiveStreamTests {
    private static let request = "GET /live HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func piece(_ text: String) -> LivePiece { LivePiece(Array(text.utf8)) }

    /// The stream of that number, when it has begun.
    private static func stream(_ index: Int, of test: TestServer) throws -> TestLive {
        eventually("the stream begins") {
            test.handler.streams.count > index && test.handler.streams[index].loop != nil
        }
        return try #require(test.handler.streams.dropFirst(index).first)
    }

    /// Does something on the stream's loop and waits for it.
    private static func onLoop(of stream: TestLive, _ action: @escaping @Sendable () -> Void) throws {
        let done = try Signal()
        #expect(
            stream.loop?.execute {
                action()
                done.raise()
            } == true)
        #expect(done.wait())
    }

    @Test(arguments: Wire.allCases) func piecesArriveSinglyAsTheyCome(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /live?hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try client.receiveHead()
            #expect(head.status == 200 && head["transfer-encoding"] == "chunked" && head["connection"] == nil)
            #expect(try client.receiveChunk() == "hello")
            let stream = try Self.stream(0, of: test)
            for number in 0..<3 {
                stream.push([Self.piece("piece \(number)")], replacing: false)
                try Self.onLoop(of: stream) { stream.wake() }
                #expect(try client.receiveChunk() == "piece \(number)")
            }
            let large = String(repeating: "x", count: 100_000)
            stream.push([Self.piece("a"), Self.piece(large), Self.piece("b")], replacing: false)
            stream.end()
            try Self.onLoop(of: stream) { stream.wake() }
            for text in ["a", large, "b", nil] { #expect(try client.receiveChunk() == text) }
            #expect(stream.events == ["began", "ended"])
            #expect(test.server.metrics.liveStreams == 0)
            // The connection goes on, and a late wake does nothing.
            try client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "GET /next ")
            stream.push([Self.piece("late")], replacing: false)
            try Self.onLoop(of: stream) { stream.wake() }
            try client.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "GET /last ")
            #expect(test.observer.all.first?.bodyBytes == 100_030 - 2)
            #expect(test.observer.all.first?.isComplete == true)
        }
    }

    @Test(arguments: Wire.allCases) func onePieceIsSharedByAll(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let clients = try (0..<50).map { _ in
                let client = try test.connect()
                try client.send(Self.request)
                #expect(try client.receiveHead().status == 200)
                return client
            }
            #expect(test.server.metrics.liveStreams == 50)
            let streams = test.handler.streams
            let piece = Self.piece("to all")
            try Self.onLoop(of: try Self.stream(49, of: test)) {
                for stream in streams {
                    stream.push([piece], replacing: true)
                    stream.wake()
                }
            }
            for client in clients { #expect(try client.receiveChunk() == "to all") }
        }
    }

    @Test(arguments: Wire.allCases) func aSlowReaderGetsWhatIsNewInsteadOfABacklog(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect(receiveBuffer: 4_096)
            try client.send(Self.request)
            #expect(try client.receiveHead().status == 200)
            let stream = try Self.stream(0, of: test)
            let filling = String(repeating: ".", count: 50_000)
            // As long as the socket takes what is pushed.
            var number = 0
            repeat {
                number += 1
                stream.push([Self.piece("\(number)" + filling)], replacing: true)
                try Self.onLoop(of: stream) { stream.wake() }
            } while stream.taken == number
            let taken = stream.taken
            #expect(taken < 10, "the system keeps little: \(taken) pieces")
            // Further ones replace the one that waits.
            for _ in 0..<100 {
                number += 1
                stream.push([Self.piece("\(number)" + filling)], replacing: true)
                try Self.onLoop(of: stream) { stream.wake() }
            }
            #expect(stream.taken == taken)
            for expected in Array(1...taken) + [number] {
                #expect(try client.receiveChunk() == "\(expected)" + filling)
            }
            #expect(stream.taken == taken + 1)
        }
    }

    @Test(arguments: Wire.allCases) func aReaderThatTakesNothingIsDropped(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect(receiveBuffer: 4_096)
            try client.send(Self.request)
            #expect(try client.receiveHead().status == 200)
            let stream = try Self.stream(0, of: test)
            // A stream that waits is not dropped, however long.
            test.clock.advance(seconds: 3_600)
            try test.server.checkDeadlines()
            test.clock.advance(seconds: 3_600)
            try test.server.checkDeadlines()
            #expect(stream.events == ["began"])
            stream.push([Self.piece(String(repeating: ".", count: 20_000_000))], replacing: true)
            try Self.onLoop(of: stream) { stream.wake() }
            try eventually("dropped") {
                test.clock.advance(seconds: 31)
                try test.server.checkDeadlines()
                return test.server.metrics.openConnections == 0
            }
            #expect(stream.events == ["began", "ended"])
            try withExtendedLifetime(client) { try Self.expectRefusal(of: stream) }
        }
    }

    /// A wake of a stream that is over has nothing asked for.
    private static func expectRefusal(of stream: TestLive) throws {
        let taken = stream.taken
        stream.push([piece("late")], replacing: true)
        try onLoop(of: stream) { stream.wake() }
        #expect(stream.taken == taken)
    }

    @Test(arguments: HeldRequestTests.Leaving.allCases)
    func theStreamIsToldThatTheClientHasLeft(_ leaving: HeldRequestTests.Leaving) throws {
        try TestServer.run { test in
            var client: TestClient? = try test.connect()
            try client?.send(Self.request)
            #expect(try client?.receiveHead().status == 200)
            let stream = try Self.stream(0, of: test)
            switch leaving {
            case .endsItsSide:
                client?.endSending()
                #expect(try client?.receiveChunk() == nil)
                #expect(client?.receiveToEnd().bytes == [])
            case .closes: client = nil
            case .resets: client?.reset()
            }
            eventually("the place is free") { test.server.metrics.openConnections == 0 }
            #expect(stream.events == ["began", "ended"])
            #expect(test.server.metrics.liveStreams == 0)
            #expect(test.observer.all.map(\.path) == ["/live"])
            #expect(test.observer.all.map(\.isComplete) == [false])
            try Self.expectRefusal(of: stream)
        }
    }

    @Test(arguments: Wire.allCases) func aClientThatEndedItsSideGetsWhatThereIs(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /live?hello HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endSending()
            try test.settle()
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("first")) }
            #expect(try client.receive().text == "first")
            #expect(try client.receiveHead().status == 200)
            #expect(try client.receiveChunk() == "hello")
            #expect(try client.receiveChunk() == nil)
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.handler.streams.map(\.events) == [["began", "ended"]])
        }
    }

    @Test(arguments: Wire.allCases) func endsWithTheConnectionForHTTP10(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /live?hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let head = try client.receiveHead()
            #expect(head["connection"] == "close" && head["transfer-encoding"] == nil && head["content-length"] == nil)
            #expect(try client.receiveText(5) == "hello")
            let stream = try Self.stream(0, of: test)
            stream.push([Self.piece("and more")], replacing: false)
            try Self.onLoop(of: stream) { stream.wake() }
            #expect(try client.receiveText(8) == "and more")
            stream.end()
            try Self.onLoop(of: stream) { stream.wake() }
            #expect(client.receiveToEnd() == ([], true))
            #expect(stream.events == ["began", "ended"])
        }
    }

    @Test(arguments: Wire.allCases) func doesNotBeginForHead(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("HEAD /live?hello HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try client.receiveHead()
            #expect(head.status == 200 && head["transfer-encoding"] == "chunked")
            try client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "GET /next ")
            #expect(test.handler.streams.map(\.events) == [[]])
        }
    }

    @Test(arguments: Wire.allCases) func requestsBehindAStreamAreAnsweredAfterIt(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send(Self.request + "GET /behind HTTP/1.1\r\nHost: a\r\n\r\n" + Self.request)
            #expect(try client.receiveHead().status == 200)
            let stream = try Self.stream(0, of: test)
            try test.settle()
            #expect(!test.handler.paths.contains("/behind"))
            stream.push([Self.piece("last")], replacing: false)
            stream.end()
            try Self.onLoop(of: stream) { stream.wake() }
            #expect(try client.receiveChunk() == "last")
            #expect(try client.receiveChunk() == nil)
            #expect(try client.receive().text == "GET /behind ")
            #expect(try client.receiveHead().status == 200)
            #expect(try Self.stream(1, of: test).events == ["began"])
        }
    }

    @Test(arguments: Wire.allCases) func signsOfLifeGoOutWithTheTicks(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send(Self.request)
            #expect(try client.receiveHead().status == 200)
            try Self.stream(0, of: test).live(by: Self.piece(": alive"))
            for _ in 0..<3 {
                try test.server.checkDeadlines()
                #expect(try client.receiveChunk() == ": alive")
            }
        }
    }
}
