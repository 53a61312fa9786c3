import EventLoop
import HTTPCore
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct HeldRequestTests {
    /// How a client goes.
    enum Leaving: CaseIterable {
        case endsItsSide, closes, resets
    }

    private static func leave(_ leaving: Leaving, _ client: inout TestClient?) {
        switch leaving {
        case .endsItsSide: client?.endSending()
        case .closes: client = nil
        case .resets: client?.reset()
        }
    }

    @Test(arguments: Leaving.allCases, ["", "GET /behind HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ha"])
    func theirPlaceIsFreeWhenTheClientLeaves(_ leaving: Leaving, _ behind: String) throws {
        try TestServer.run { test in
            var client: TestClient? = try test.connect()
            try client?.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n" + behind)
            #expect(test.handler.isHolding.wait())
            #expect(test.server.metrics.heldRequests == 1)
            Self.leave(leaving, &client)
            eventually("the place is free") { test.server.metrics.openConnections == 0 }
            #expect(test.server.metrics.heldRequests == 0)
            if leaving == .endsItsSide { #expect(client?.receiveToEnd().bytes == []) }
            let held = try #require(test.handler.takeHeld().first)
            #expect(held.watch?.events == ["ended"])
            // What comes too late does nothing, and who holds too late is told at once.
            held.reply.send(TestHandler.text("too late"))
            let late = TestHeld(held.reply)
            held.reply.hold(late)
            eventually("told") { late.events == ["ended"] }
            #expect(test.handler.paths == ["/held"])
            // It is observed once, with what it would have been answered.
            #expect(test.observer.all.map(\.path) == ["/held"])
            #expect(test.observer.all.map(\.isComplete) == [false])
            #expect(test.observer.all.map(\.status) == [200])
            #expect(test.observer.all.map(\.bodyBytes) == [0])
        }
    }

    @Test(arguments: [Leaving.closes, .resets])
    func aClientThatLeavesIsNoticedBehindMoreThanIsRead(_ leaving: Leaving) throws {
        try TestServer.run { test in
            var client: TestClient? = try test.connect()
            let filling = String(repeating: "GET /behind HTTP/1.1\r\nHost: a\r\n\r\n", count: 3_000)
            try client?.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n" + filling)
            #expect(test.handler.isHolding.wait())
            eventually("the server reads up to its limit") { test.server.metrics.bytesIn > 65_536 }
            try test.server.checkDeadlines()
            #expect(test.server.metrics.openConnections == 1)
            Self.leave(leaving, &client)
            try eventually("the place is free") {
                try test.server.checkDeadlines()
                return test.server.metrics.openConnections == 0
            }
            #expect(test.handler.takeHeld().first?.watch?.events == ["ended"])
            #expect(test.handler.paths == ["/held"])
        }
    }

    @Test(arguments: Wire.allCases) func aClientThatOnlyEndedItsSideReadsWhatIsAnsweredThen(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            let held = "GET /held?answers HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(held + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n" + held)
            client.endSending()
            #expect(try client.receive().text == "nothing yet")
            #expect(try client.receive().text == "GET /next ")
            #expect(try client.receive().text == "nothing yet")
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.handler.takeHeld().map { $0.watch?.events } == [["ended"], ["ended"]])
            eventually("closed") { test.server.metrics.openConnections == 0 }
        }
    }

    @Test(arguments: Wire.allCases) func oneJobForEachLoopAnswersAll(_ wire: Wire) throws {
        // A descriptor for each end.
        let count = min(2_000, (DescriptorLimit.raise() - 200) / 2)
        try TestServer.run(loops: 2, over: wire) { test in
            let clients = try (0..<count).map { _ in
                let client = try test.connect()
                try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
                return client
            }
            eventually("all are held") { test.handler.allHeld.count == count }
            #expect(test.server.metrics.heldRequests == count)
            let groups = Dictionary(grouping: test.handler.takeHeld()) { ObjectIdentifier($0.reply.loop) }
            #expect(groups.count == 2)
            let response = TestHandler.text("now")
            for group in groups.values {
                let isTaken = group[0].reply.loop.execute {
                    for held in group {
                        if held.reply.loop.isCurrent { held.reply.send(response) }
                    }
                }
                #expect(isTaken)
            }
            for client in clients { #expect(try client.receive().text == "now") }
            #expect(test.server.metrics.heldRequests == 0)
            #expect(groups.values.joined().allSatisfy { $0.watch?.events == [] })
        }
    }

    @Test(arguments: Wire.allCases) func connectionsGoOnAfterTheAnswer(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            for round in 0..<3 {
                try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nGET /behind HTTP/1.1\r\nHost: a\r\n\r\n")
                eventually("held") { !test.handler.allHeld.isEmpty }
                try test.settle()
                #expect(!test.handler.paths.contains("/behind") || round > 0)
                for held in test.handler.takeHeld() { held.reply.send(TestHandler.text("\(round)")) }
                let reply = try client.receive()
                #expect(reply.text == "\(round)" && reply["connection"] == nil)
                #expect(try client.receive().text == "GET /behind ")
            }
            #expect(test.handler.paths.filter { $0 == "/behind" }.count == 3)
        }
    }

    @Test(arguments: Wire.allCases) func areToldWhatTimeItIs(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            test.clock.advance(seconds: 3_600)
            try test.server.checkDeadlines()
            let held = try #require(test.handler.takeHeld().first)
            #expect(held.watch?.lastTick == test.clock.now && held.reply.loop.now == test.clock.now)
            held.reply.send(TestHandler.text("at last"))
            #expect(try client.receive().text == "at last")
            test.clock.advance(seconds: 1)
            try test.server.checkDeadlines()
            #expect(held.watch?.lastTick != test.clock.now)
        }
    }

    @Test(arguments: Wire.allCases) func handlersKnowTheAddressOfTheClient(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /address HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "127.0.0.1")
        }
    }
}
