import EventLoop
import HTTPCore
import Testing

@testable import HTTPServer

@Suite struct DrainTests {
    /// Shuts the server down on another thread; raised when that is done, in time.
    private static func shutdown(_ test: TestServer, seconds: UInt64) throws -> Signal {
        let ended = try Signal()
        test.handler.otherThread.execute {
            if test.server.shutdown(grace: seconds * 1_000_000_000) { ended.raise() }
        }
        return ended
    }

    @Test(arguments: Wire.allCases) func turnsToEndAreSpreadOverHalfOfTheGrace(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let clients = try (0..<4).map { number in
                let client = try test.connect()
                try client.send("GET \(number % 2 == 0 ? "/held" : "/live") HTTP/1.1\r\nHost: a\r\n\r\n")
                eventually("there") { test.handler.allHeld.count + test.handler.streams.count == number + 1 }
                return client
            }
            // 80 seconds, so a turn each 10 seconds of the clock that the test moves.
            let ended = try Self.shutdown(test, seconds: 80)
            func turns() -> Int {
                let all = test.handler.allHeld.compactMap(\.watch?.events) + test.handler.streams.map(\.events)
                return all.count { $0.contains("drain") }
            }
            eventually("the first turn") { turns() == 1 }
            for turn in 2...4 {
                test.clock.advance(seconds: 9)
                #expect(turns() == turn - 1)
                test.clock.advance(seconds: 1)
                eventually("turn \(turn)") { turns() == turn }
            }
            for held in test.handler.takeHeld() {
                #expect(held.watch?.events == ["drain"])
                held.reply.send(TestHandler.text("empty"))
            }
            for (number, client) in clients.enumerated() {
                if number % 2 == 0 {
                    let reply = try client.receive()
                    #expect(reply.text == "empty" && reply["connection"] == "close")
                } else {
                    #expect(try client.receiveHead().status == 200)
                    #expect(try client.receiveChunk() == "bye")
                    #expect(try client.receiveChunk() == nil)
                }
                #expect(client.receiveToEnd() == ([], true))
                client.reset()
            }
            #expect(ended.wait(nanoseconds: 20_000_000_000))
            #expect(test.handler.streams.allSatisfy { $0.events == ["began", "drain", "ended"] })
        }
    }

    @Test(arguments: Wire.allCases) func withoutGraceAllAreToldAndThenCutOff(_ wire: Wire) throws {
        try TestServer.run(loops: 2, over: wire) { test in
            let clients = try (0..<20).map { number in
                let client = try test.connect()
                try client.send("GET \(number % 2 == 0 ? "/held" : "/live") HTTP/1.1\r\nHost: a\r\n\r\n")
                return client
            }
            eventually("there") { test.server.metrics.heldRequests + test.server.metrics.liveStreams == 20 }
            #expect(!test.server.shutdown(grace: 0))
            for (number, client) in clients.enumerated() where number % 2 == 1 {
                #expect(try client.receiveHead().status == 200)
                #expect(try client.receiveChunk() == "bye")
            }
            #expect(test.handler.allHeld.allSatisfy { $0.watch?.events == ["drain", "ended"] })
            #expect(test.handler.streams.allSatisfy { $0.events == ["began", "drain", "ended"] })
            let metrics = test.server.metrics
            #expect(metrics.openConnections == 0 && metrics.heldRequests == 0 && metrics.liveStreams == 0)
        }
    }

    @Test(arguments: Wire.allCases) func whatWaitsDuringADrainHasItsTurnAtOnce(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            let other = try test.connect()
            try other.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            eventually("both are there") { test.handler.allHeld.count == 2 }
            let idle = try test.connect()
            let ended = try Self.shutdown(test, seconds: 60)
            #expect(idle.receiveToEnd() == ([], true))
            let held = test.handler.takeHeld()
            let watch = TestHeld(held[0].reply)
            held[0].reply.hold(watch)
            eventually("told") { watch.events == ["drain"] }
            held[0].reply.send(TestHandler.text("empty"))
            #expect(try client.receive().text == "empty")
            let stream = TestLive(greeting: nil)
            held[1].reply.send(Response(status: 200, body: .live(stream)))
            #expect(try other.receive().text == "bye")
            eventually("over") { stream.events == ["began", "drain", "ended"] }
            for client in [client, other] {
                #expect(client.receiveToEnd() == ([], true))
                client.reset()
            }
            #expect(ended.wait(nanoseconds: 20_000_000_000))
        }
    }

    @Test(arguments: [0, 1, 3, 7, 10_000])
    func everyoneHasOneTurn(_ count: Int) {
        let second: UInt64 = 1_000_000_000
        var schedule = DrainSchedule(count: count, start: 5 * second, span: 10 * second)
        var told = 0
        for step: UInt64 in 0...100 {
            let due = schedule.due(now: 5 * second + step * second / 10)
            #expect(due.lowerBound == told)
            told = due.upperBound
            #expect(abs(Double(told) - Double(count) * Double(step) / 100) <= 1)
        }
        #expect(told == count && schedule.isDone)
        #expect(schedule.due(now: 100 * second).isEmpty)
        var atOnce = DrainSchedule(count: count, start: 0, span: 0)
        #expect(atOnce.due(now: 0).count == count && atOnce.isDone)
    }
}
