import EventLoop
import HTTPCore
import HTTPServer
import Testing

/// `X-Request-Id` on whatever a server answers.
@Suite struct RequestIDTests {
    private static let name = "x-request-id"

    private static func isMade(_ id: String?) -> Bool {
        id?.utf8.count == 16 && id?.allSatisfy { "0123456789abcdefghijklmnopqrstuv".contains($0) } == true
    }

    @Test(arguments: [
        "GET /echo", "HEAD /echo", "OPTIONS *", "GET /none", "GET /same", "GET /hop", "GET /twice", "GET /bytes/100000",
        "GET /stream/100000", "HEAD /stream/100000", "GET /length/100000", "GET /refused", "GET /live?hello",
        "GET /held",
    ])
    func everyKindOfAnswerHasIt(_ line: String) throws {
        try TestServer.run { test in
            let client = try test.connect()
            for (field, expected) in [("", nil), ("X-Request-Id: of/the-client=1\r\n", "of/the-client=1")] {
                try client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
                if line.hasSuffix("/held") {
                    eventually("it is held") {
                        let held = test.handler.takeHeld()
                        for held in held { held.reply.send(TestHandler.text("now")) }
                        return !held.isEmpty
                    }
                }
                let isLive = line.contains("live")
                let reply = try client.receive(toHead: line.hasPrefix("HEAD") || isLive)
                #expect(reply.fields.filter { $0.name == Self.name }.count == 1)
                if let expected {
                    #expect(reply[Self.name] == expected)
                } else {
                    #expect(Self.isMade(reply[Self.name]), "\(reply.fields)")
                }
                // A stream has no end here, so there is no second request.
                if isLive { break }
            }
        }
    }

    @Test(arguments: RequestSamples.refused)
    func everyRefusalHasOne(_ text: String, _ status: Int) throws {
        let bytes = RequestSamples.bytes(
            text.replacing("Content-Length: 1000001", with: "Content-Length: 10000001") + RequestSamples.next)
        try TestServer.run { test in
            let client = try test.connect()
            try client.send(bytes)
            let reply = try client.receive()
            #expect(reply.status == status)
            #expect(Self.isMade(reply[Self.name]))
            #expect(client.receiveToEnd().isOrderly)
            eventually("it is observed") { test.observer.all.last?.id.description == reply[Self.name] }
            #expect(test.observer.all.last?.status == status)
        }
    }

    @Test func whatIsRefusedInItsBodyKeepsItsName() throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send("PUT /small HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: 11\r\n\r\n")
            let tooLarge = try client.receive()
            #expect(tooLarge.status == 413 && tooLarge[Self.name] == "mine")
            let slow = try test.connect()
            try slow.send("PUT /slow HTTP/1.1\r\nHost: a\r\nX-Request-Id: slow\r\nContent-Length: 11\r\n\r\nhi")
            eventually("its head is there") { test.handler.admittedPaths.contains("/slow") }
            test.clock.advance(seconds: 30)
            try test.server.checkDeadlines()
            let late = try slow.receive()
            #expect(late.status == 408 && late[Self.name] == "slow")
            let quiet = try test.connect()
            try quiet.send("GET /quiet HTTP/1.1\r\nX-Request")
            try test.settle()
            test.clock.advance(seconds: 30)
            try test.server.checkDeadlines()
            let unknown = try quiet.receive()
            #expect(unknown.status == 408 && Self.isMade(unknown[Self.name]))
        }
    }

    @Test func whoIsTurnedAwayIsGivenOne() throws {
        try TestServer.run(configure: { $0.maxConnections = 1 }) { test in
            let first = try test.connect()
            try first.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try first.receive().status == 200)
            let second = try test.connect()
            let reply = try second.receive()
            #expect(reply.status == 503 && Self.isMade(reply[Self.name]))
        }
    }

    @Test func continueHasNone() throws {
        try TestServer.run { test in
            let client = try test.connect()
            try client.send("PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            let interim = try client.receive()
            #expect(interim.status == 100 && interim.fields.isEmpty)
            try client.send("hi")
            let reply = try client.receive()
            #expect(reply.status == 200 && Self.isMade(reply[Self.name]))
        }
    }

    @Test func handlerObserverAndClientAreToldTheSame() throws {
        try TestServer.run(loops: 2) { test in
            var ids: [String] = []
            for _ in 0..<4 {
                let client = try test.connect()
                let request = "GET /id HTTP/1.1\r\nHost: a\r\n"
                try client.send(request + "\r\n" + request + "X-Request-Id: twice\r\nX-Request-Id: twice\r\n\r\n")
                for _ in 0..<2 {
                    let reply = try client.receive()
                    #expect(reply.text == reply[Self.name])
                    #expect(Self.isMade(reply[Self.name]))
                    ids.append(reply.text)
                }
            }
            #expect(Set(ids).count == ids.count)
            eventually("all are observed") { Set(test.observer.all.map(\.id.description)) == Set(ids) }
        }
    }
}
