import EventLoop
import HTTPCore
import HTTPServer
import Testing

/// One client's greed is not at the others' cost.
@Suite struct FairnessTests {
    @Test func aRowOfRequestsLeavesOthersTheirTurn() throws {
        try TestServer.run { test in
            let greedy = try test.connect()
            let other = try test.connect()
            try greedy.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = test.handler.isHolding.wait()
            // While the loop stands still, all of this comes.
            try greedy.send(String(repeating: "GET /row HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000))
            try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            test.handler.gate.raise()
            #expect(try other.receive().status == 200)
            for _ in 0...1_000 { #expect(try greedy.receive().status == 200) }
            let place = try #require(test.handler.paths.firstIndex(of: "/other"))
            #expect(place <= 100, "\(place) requests of another client were handled before it")
            #expect(test.handler.paths.count == 1_002)
        }
    }

    @Test func aStreamThatLooksForItsNextPieceLeavesOthersTheirTurn() throws {
        try TestServer.run { test in
            let seeking = try test.connect()
            let other = try test.connect()
            try seeking.send("GET /turns HTTP/1.1\r\nHost: a\r\n\r\n")
            eventually("the stream has begun") { test.handler.paths.contains("/turns") }
            try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try other.receive().status == 200)
            #expect(try seeking.receive().text == "others had their turn")
        }
    }

    @Test func longAnswersLeaveOthersTheirTurn() throws {
        try TestServer.run { test in
            let greedy = try (0..<20).map { _ in try test.connect() }
            let other = try test.connect()
            let gate = try test.connect()
            try gate.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = test.handler.isHolding.wait()
            // While the loop stands still, all of these come; the sockets take a megabyte or so of each at once.
            for client in greedy { try client.send("GET /stream/900000 HTTP/1.1\r\nHost: a\r\n\r\n") }
            try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            test.handler.gate.raise()
            #expect(try other.receive().status == 200)
            let made = test.handler.producedAtOther
            #expect(made <= 20 * 40_000, "\(made) bytes for others were made before it")
            for client in greedy { #expect(try client.receive().body.count == 900_000) }
        }
    }

    @Test func bodiesOnTheirWayHaveABound() throws {
        try TestServer.run(configure: { $0.arrivingBytes = 1 << 20 }) { test in
            func head(_ count: Int) -> String { "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n" }
            func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 65, count: count) }
            let large = try test.connect()
            try large.send(head(2_000_000))
            try large.send(bytes(900_000))
            eventually("what was sent is read") { test.server.metrics.bytesIn >= 900_000 }

            let second = try test.connect()
            try second.send(head(400_000))
            try second.send(bytes(400_000))
            let reply = try second.receive()
            #expect(reply.status == 503)
            #expect(reply["retry-after"] != nil)
            #expect(second.receiveToEnd() == ([], true))

            // Small ones come through all the same.
            let small = try test.connect()
            for _ in 0..<20 {
                try small.send(head(60_000))
                try small.send(bytes(60_000))
                #expect(try small.receive().status == 200)
            }

            // What one held is the others' again: when it is complete, and when it breaks off.
            try large.send(bytes(60_000))
            large.reset()
            try eventually("the room of a lost connection is given back") {
                let third = try test.connect()
                try third.send(head(900_000))
                try third.send(bytes(900_000))
                return try third.receive().status == 200
            }
            for _ in 0..<3 {
                try small.send(head(900_000))
                try small.send(bytes(900_000))
                #expect(try small.receive().status == 200)
            }
        }
    }
}
