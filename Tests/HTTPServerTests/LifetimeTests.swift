import EventLoop
import HTTPCore
import Testing

@testable import HTTPServer

@Suite struct LifetimeTests {
    @Test(arguments: Wire.allCases) func answersAClientThatHasEndedItsSide(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            client.endSending()
            try test.settle()
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("still")) }
            #expect(try client.receive().text == "still")
            #expect(try client.receive().text == "GET /next ")
            #expect(client.receiveToEnd() == ([], true))
            eventually("closed") { test.server.metrics.openConnections == 0 }
            #expect(test.handler.paths.filter { $0 != "/settle" } == ["/later", "/next"])
        }
    }

    @Test(arguments: Wire.allCases) func refusesAnIncompleteRequest(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            for text in ["GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell"] {
                let client = try test.connect()
                try client.send(text)
                client.endSending()
                #expect(try client.receive().status == 400)
                #expect(client.receiveToEnd() == ([], true))
            }
            let silent = try test.connect()
            silent.endSending()
            #expect(silent.receiveToEnd() == ([], true))
            #expect(test.handler.paths == [])
        }
    }

    @Test(arguments: Wire.allCases) func drains(_ wire: Wire) throws {
        try TestServer.run(loops: 2, over: wire) { test in
            let idle = try test.connect()
            try idle.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try idle.receive().status == 200)
            let busy = try test.connect()
            try busy.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n" + RequestSamples.next)
            #expect(test.handler.isHolding.wait())
            let ended = try Signal()
            test.handler.otherThread.execute {
                if test.server.shutdown(grace: 60_000_000_000) { ended.raise() }
            }
            #expect(idle.receiveToEnd() == ([], true))
            eventually("the busy one's loop drains") { test.handler.allHeld.first?.watch?.events == ["drain"] }
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("last")) }
            let reply = try busy.receive()
            #expect(reply.text == "last" && reply["connection"] == "close")
            #expect(busy.receiveToEnd() == ([], true))
            busy.reset()
            #expect(ended.wait(nanoseconds: 20_000_000_000))
            #expect(!test.handler.paths.contains("/smuggled"))
            #expect(throws: TestClient.Failure.self) { try test.connect() }
        }
    }

    @Test(arguments: Wire.allCases) func closesWhatIsLeftAfterTheGrace(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            #expect(!test.server.shutdown(grace: 0))
            #expect(client.receiveToEnd().bytes == [])
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("too late")) }
            #expect(test.server.metrics.openConnections == 0)
        }
    }

    @Test func endsWithItsOwner() throws {
        let handler = try TestHandler()
        defer {
            handler.otherThread.stop()
            handler.otherThread.join()
        }
        let port: UInt16
        do {
            let address = try SocketAddress(host: "127.0.0.1", port: 0)
            let server = try HTTPServer(configuration: .init(addresses: [address], loops: 2), handler: handler)
            port = server.addresses[0].port
            let client = try TestClient(port: port)
            try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().status == 200)
        }
        #expect(throws: TestClient.Failure.self) { try TestClient(port: port) }
    }

    @Test(arguments: Wire.allCases) func limitsTheTimeOfARequest(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            for part in [
                "G", "GET / HTTP/1.1\r\nHost: a\r\n", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nh",
            ] {
                let before = test.server.metrics.bytesIn
                let client = try test.connect()
                try client.send(part)
                eventually("read") { test.server.metrics.bytesIn == before + part.utf8.count }
                test.clock.advance(seconds: 29)
                try test.server.checkDeadlines()
                #expect(test.server.metrics.openConnections == 1)
                // Another byte does not begin the time anew.
                try client.send(part.hasPrefix("PUT") ? "" : "E")
                test.clock.advance(seconds: 1)
                try test.server.checkDeadlines()
                let reply = try client.receive()
                #expect(reply.status == 408 && reply["connection"] == "close")
                #expect(client.receiveToEnd() == ([], true))
                client.reset()
                eventually("closed") { test.server.metrics.openConnections == 0 }
            }
            #expect(test.handler.paths == [])
        }
    }

    @Test(arguments: Wire.allCases) func limitsIdleTimeBetweenRequests(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            for _ in 0..<3 {
                try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 200)
                test.clock.advance(seconds: 74)
                try test.server.checkDeadlines()
            }
            #expect(test.server.metrics.openConnections == 1)
            test.clock.advance(seconds: 1)
            try test.server.checkDeadlines()
            #expect(client.receiveToEnd() == ([], true))
        }
    }

    @Test(arguments: Wire.allCases) func limitsTimeWithoutProgressInWriting(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect(receiveBuffer: 4_096)
            try client.send("GET /length/64000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            try client.skip(1_000)
            try eventually("closed") {
                test.clock.advance(seconds: 31)
                try test.server.checkDeadlines()
                return test.server.metrics.openConnections == 0
            }
            #expect(test.handler.produced.value < 64_000_000)
        }
    }

    @Test(arguments: Wire.allCases) func limitsTheTimeOfLingering(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("bad\r\n")
            #expect(try client.receive().status == 400)
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.server.metrics.openConnections == 1)
            test.clock.advance(seconds: 5)
            try test.server.checkDeadlines()
            #expect(test.server.metrics.openConnections == 0)
        }
    }

    @Test(arguments: Wire.allCases) func doesNotLimitTheTimeOfAnswering(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            test.clock.advance(seconds: 3_600)
            try test.server.checkDeadlines()
            for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("at last")) }
            #expect(try client.receive().text == "at last")
            eventually("it is observed") { test.observer.all.first?.nanoseconds == 3_600_000_000_000 }
        }
    }

    @Test func deadlinesFollowThePhases() {
        let second: UInt64 = 1_000_000_000
        var deadlines = ConnectionDeadlines(.init(), now: 0)
        func expiry(_ seconds: UInt64, writing: Bool = false, written: UInt64 = 0) -> ConnectionDeadlines.Expiry? {
            deadlines.expiry(now: seconds * second, isWriting: writing, written: written)
        }
        #expect(expiry(74) == nil && expiry(75) == .idle)
        deadlines.enter(.receiving, now: 75 * second)
        deadlines.enter(.receiving, now: 80 * second)
        #expect(expiry(104) == nil && expiry(105) == .request)
        deadlines.enter(.receiving, now: 90 * second, restarting: true)
        #expect(expiry(119) == nil && expiry(120) == .request)
        deadlines.enter(.answering, now: 120 * second)
        #expect(expiry(1_000) == nil)
        #expect(expiry(1_000, writing: true, written: 5) == nil && expiry(1_029, writing: true, written: 5) == nil)
        #expect(expiry(1_030, writing: true, written: 6) == nil && expiry(1_059, writing: true, written: 6) == nil)
        #expect(expiry(1_060, writing: true, written: 6) == .write)
        deadlines.enter(.lingering, now: 1_060 * second)
        #expect(expiry(1_064) == nil && expiry(1_065) == .linger)
    }
}
