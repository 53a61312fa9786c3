import HTTPCore
import Journal
import MedleyCore
import MedleyService
import Testing

/// The same requests as in the other suites, through a real server on a real socket.
@Suite struct SocketTests {
    @Test("Each problem comes through a socket as it is, and changes nothing", arguments: ProblemTests.requests)
    func problems(_ test: ProblemTests.Case) async throws {
        let served = try await SocketService()
        let before = try served.send("GET", ProblemTests.mix)
        let received = try served.send(test.method, test.target, test.headers, json: test.json)
        #expect(received.status == test.status)
        #expect(received.code == test.code, "\(received.text)")
        if let pointer = test.pointer { #expect(received.object["pointer"] as? String == pointer) }
        #expect(received.object["offset"] as? Int == test.offset)
        let revision = test.target.hasPrefix(ProblemTests.mix) ? before.headers["Revision"] : nil
        #expect(received.missingOfProblem(method: test.method, current: revision) == [])
        let after = try served.send("GET", ProblemTests.mix)
        #expect(after.body == before.body)
        #expect(after.headers["Revision"] == before.headers["Revision"])
    }

    /// What the server refuses before the service sees it.
    static let refusals: [(request: String, status: Int, code: String)] = [
        ("GET /v1 HTTP/1.1\r\n\r\n", 400, "malformed-request"),
        ("GET /v1 HTTP/1.1\r\nHost : a\r\n\r\n", 400, "malformed-request"),
        ("GET /v1 HTTP/3.0\r\nHost: a\r\n\r\n", 505, "http-version-not-supported"),
        ("GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri-too-long"),
        (
            "GET /v1 HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431,
            "request-header-fields-too-large"
        ),
        ("PUT /v1/collections/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "not-implemented"),
        (
            "PUT /v1/collections/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Content-Length: 99999999999\r\n\r\n", 413, "content-too-large"
        ),
        ("GET /v1 HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", 417, "expectation-failed"),
    ]

    @Test(arguments: refusals.indices)
    func whatTheServerRefusesIsAProblem(index: Int) async throws {
        let refusal = Self.refusals[index]
        let served = try await SocketService()
        let before = try served.send("GET", ProblemTests.mix)
        let client = try served.connect()
        try client.send(refusal.request)
        let received = Received(try client.receive())
        #expect(received.status == refusal.status)
        #expect(received.code == refusal.code, "\(received.text)")
        #expect(received.missingOfProblem(method: "", current: nil) == [])
        #expect(client.receiveToEnd().bytes.isEmpty)
        #expect(try served.send("GET", ProblemTests.mix).body == before.body)
        #expect(served.fixture.library.all().count == 1)
    }

    @Test("An edit, its difference and the snapshot agree over one connection")
    func oneConnection() async throws {
        let served = try await SocketService()
        let client = try served.connect()
        try client.send(served.text("GET", ProblemTests.mix))
        let first = Received(try client.receive())
        let revision = try #require(first.headers["Revision"])
        // Pipelined: the edit, what changed, and the snapshot.
        let edit = #"{"changes":[{"op":"toggleLike","ids":["v1"]},{"op":"move","ids":["m2"],"after":null}]}"#
        try client.send(
            served.text("PATCH", ProblemTests.mix, json: edit)
                + served.text("GET", ProblemTests.mix + "/changes?since=\(revision)")
                + served.text("GET", ProblemTests.mix))
        let answer = Received(try client.receive())
        let changes = Received(try client.receive())
        let snapshot = Received(try client.receive())
        #expect(answer.status == 200)
        #expect(answer.body == changes.body)
        #expect(snapshot.headers["Revision"] == answer.object["to"] as? String)
        #expect(snapshot.sectionItems.first?.1 == ["m2", "v1", "v2", "v3"])
    }

    @Test("A large snapshot arrives whole, plain and compressed, by GET and its head by HEAD")
    func largeBody() async throws {
        let served = try await SocketService()
        let items = (0..<3_000).map {
            #"{"id":"i\#($0)","type":"music","title":"\#(String(repeating: "x", count: 60))"}"#
        }
        let body = #"{"title":"Large","sections":[{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#
        #expect(try served.send("PUT", "/v1/collections/large", json: body).status == 201)
        let direct = await served.fixture.send("GET", "/v1/collections/large")
        #expect(direct.body.count > 200_000)
        let plain = try served.send("GET", "/v1/collections/large")
        #expect(plain.body == direct.body)
        let compressed = try served.send("GET", "/v1/collections/large", [("Accept-Encoding", "gzip")])
        #expect(compressed.headers["Content-Encoding"] == "gzip")
        #expect(try GzipTool.inflate(compressed.body) == direct.body)
        let head = try served.send("HEAD", "/v1/collections/large")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.headers["ETag"] == plain.headers["ETag"])
    }

    @Test("100 Continue is sent only for what will be taken")
    func expectContinue() async throws {
        let served = try await SocketService()
        let refused = try served.connect()
        try refused.send(
            "PATCH \(ProblemTests.mix) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n\r\n")
        #expect(try refused.receive().status == 415)
        let taken = try served.connect()
        let body = #"{"changes":[]}"#
        try taken.send(
            "PATCH \(ProblemTests.mix) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        #expect(try taken.receive().status == 100)
        try taken.send(body)
        #expect(try taken.receive().status == 200)
    }
}
