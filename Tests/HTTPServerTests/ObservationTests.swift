import EventLoop
import HTTPCore
import HTTPServer
import Testing

/// What the observer is told of each request, and when.
@Suite struct ObservationTests {
    @Test(arguments: ["bytes", "length", "stream"])
    func aClientThatGoesAmidABodyIsObservedAsSuch(_ kind: String) throws {
        try TestServer.run { test in
            let size = 60_000_000
            var client: TestClient? = try test.connect(receiveBuffer: 65_536)
            try client?.send("GET /\(kind)/\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
            try client?.skip(100_000)
            #expect(test.observer.all.isEmpty)
            client = nil
            eventually("it is observed") { test.observer.all.count == 1 }
            let record = try #require(test.observer.all.first)
            #expect(record.status == 200 && !record.isComplete)
            #expect(record.bodyBytes > 50_000 && record.bodyBytes < size)
        }
    }

    @Test func aBodyIsSentWhenItsLastByteIs() throws {
        try TestServer.run { test in
            let size = 20_000_000
            let client = try test.connect(receiveBuffer: 65_536)
            try client.send("GET /bytes/\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
            try client.skip(100_000)
            #expect(test.observer.all.isEmpty)
            test.clock.advance(seconds: 7)
            // Its head has not the length of a hundred thousand bytes, so there is a rest of the body.
            try client.skip(size - 100_000)
            eventually("it is observed") { test.observer.all.count == 1 }
            let record = try #require(test.observer.all.first)
            #expect(record.isComplete && record.bodyBytes == size)
            #expect(record.nanoseconds == 7_000_000_000)
        }
    }

    @Test func aHeadWithoutItsBodyIsObserved() throws {
        try TestServer.run { test in
            var client: TestClient? = try test.connect()
            try client?.send("PUT /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
            eventually("its head is there") { test.handler.admittedPaths == ["/half"] }
            client?.reset()
            client = nil
            eventually("it is observed") { test.observer.all.count == 1 }
            let record = try #require(test.observer.all.first)
            #expect(record.method == "PUT" && record.path == "/half" && !record.isComplete)
            // What the reset finds first decides whether there was a refusal to send.
            #expect([0, 400].contains(record.status))
        }
    }

    @Test func aConnectionWithoutARequestIsNotObserved() throws {
        try TestServer.run { test in
            var client: TestClient? = try test.connect()
            eventually("it is accepted") { test.server.metrics.acceptedConnections == 1 }
            client?.reset()
            client = nil
            eventually("it is gone") { test.server.metrics.openConnections == 0 }
            let other = try test.connect()
            try other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try other.receive().status == 200)
            eventually("the other is observed") { test.observer.all.map(\.path) == ["/a"] }
        }
    }

    @Test func pipelinedRequestsAreObservedInOrderAndOnce() throws {
        try TestServer.run { test in
            let paths = (0..<3_000).map { $0 % 7 == 0 ? "/bytes/5000?\($0)" : "/echo/\($0)" }
            let client = try test.connect()
            test.handler.otherThread.execute {
                try? client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            }
            for _ in paths { #expect(try client.receive().status == 200) }
            eventually("all are observed") { test.observer.all.count == paths.count }
            #expect(test.observer.all.map(\.path) == paths.map { String($0.prefix { $0 != "?" }) })
            #expect(!test.observer.all.contains { !$0.isComplete })
        }
    }

    @Test func whatIsUnderWayWhenTheServerEndsIsObserved() throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            test.server.shutdown(grace: 0)
            #expect(test.observer.all.map(\.path) == ["/later"])
            #expect(test.observer.all.map(\.status) == [0])
            #expect(test.observer.all.map(\.isComplete) == [false])
        }
    }
}
