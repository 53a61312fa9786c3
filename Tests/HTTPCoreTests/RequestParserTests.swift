import HTTPCore
import Testing

@Suite struct RequestParserTests {
    /// Every sample alone, each taken one twice in a row, and all taken ones as one pipeline.
    static let everySample: [[UInt8]] =
        RequestSamples.taken.flatMap { [RequestSamples.bytes($0), RequestSamples.bytes($0 + $0)] }
        + RequestSamples.refused.map { RequestSamples.bytes($0.bytes + RequestSamples.next) }
        + [RequestSamples.bytes(RequestSamples.taken.joined())]

    static let seed = Seed.value

    @Test(arguments: 0..<everySample.count)
    func anySplitGivesTheSame(_ number: Int) {
        let bytes = Self.everySample[number]
        let whole = ParserEvent.run(bytes)
        #expect(!whole.isEmpty)
        // A long sample is cut where it begins and ends, and at random below.
        let cuts = bytes.count <= 1_000 ? Array(0...bytes.count) : Array(0..<60) + Array(bytes.count - 60...bytes.count)
        for cut in cuts {
            #expect(ParserEvent.run(bytes, cuts: [cut]) == whole, "cut at \(cut)")
        }
        if bytes.count <= 1_000 || number.isMultiple(of: 4) {
            #expect(ParserEvent.run(bytes, cuts: Array(0..<bytes.count)) == whole, "every byte alone")
        }
        var generator = SeededGenerator(seed: Self.seed &+ UInt64(number))
        for _ in 0..<20 {
            let count = Int.random(in: 2...8, using: &generator)
            let cuts = (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
            #expect(ParserEvent.run(bytes, cuts: cuts) == whole, "cuts \(cuts), seed \(Self.seed)")
        }
    }

    @Test(arguments: RequestSamples.refused)
    func refuses(_ bytes: String, _ status: Int) {
        let events = ParserEvent.run(RequestSamples.bytes(bytes + RequestSamples.next))
        guard case .refused(let refusal) = events.last else {
            Issue.record("not refused: \(events)")
            return
        }
        #expect(refusal.status == status, "\(refusal.detail)")
        #expect(!events.contains { "\($0)".contains("smuggled") })
        #expect(!events.contains(.end))
    }

    @Test(arguments: RequestSamples.taken)
    func takes(_ text: String) {
        let events = ParserEvent.run(RequestSamples.bytes(text + RequestSamples.next))
        #expect(events.filter { $0 == .end }.count == 2, "\(events)")
        #expect(events.contains { "\($0)".contains("/smuggled") })
    }

    @Test func understands() throws {
        let expected = [
            "head GET / - none 1.1 keeps",
            "head GET /v1/a%2Fb x=1&y=?2 none 1.1 keeps",
            "head GET / - none 1.1 keeps",
            "head POST /p - length(5) 1.1 keeps | body hello",
            "head POST /p - length(0) 1.1 keeps",
            "head PUT /p - length(3) 1.1 keeps expects | body \r\n\0",
            "head POST /c - chunked 1.1 keeps | body hello0123456789",
            "head POST /c - chunked 1.1 keeps | body \n",
            "head GET / - none 1.0",
            "head GET / - none 1.0 keeps",
            "head GET / - none 1.1",
            "head OPTIONS * - none 1.1 keeps",
            "head GET /x y=/z none 1.1 keeps",
            "head GET / q none 1.1 keeps",
            "head OPTIONS * - none 1.1 keeps",
            "head GET / - none 1.1 keeps",
        ]
        #expect(expected.count == RequestSamples.taken.count)
        for (text, line) in zip(RequestSamples.taken, expected) {
            let events = ParserEvent.run(RequestSamples.bytes(text))
            #expect(events.map(\.description).joined(separator: " | ") == line + " | end")
        }
    }

    @Test func keepsFields() {
        let events = ParserEvent.run(RequestSamples.bytes(RequestSamples.taken[1]))
        guard case .head(_, _, _, let fields, _, _) = events.first else {
            Issue.record("no head")
            return
        }
        #expect(fields.fields.map(\.name) == ["Host", "Accept", "X-Empty", "X-Tab"])
        #expect(fields.fields.map(\.value) == ["a:80", "*/*", "", "a\tb"])
        #expect(fields["hOST"] == "a:80")
    }

    @Test(arguments: [
        ("GET http://b.example:8080/x", "1.1", "Host: a\r\nX: 1\r\n", "b.example:8080"),
        ("GET HTTPS://B.example?q", "1.1", "Host: a\r\n", "B.example"),
        ("OPTIONS http://b.example", "1.1", "Host: a\r\n", "b.example"),
        ("GET http://b.example/", "1.0", "", "b.example"), ("GET /http://b.example/", "1.1", "Host: a\r\n", "a"),
    ])
    func theAuthorityOfATargetStandsInForHost(line: String, version: String, fields: String, host: String) {
        let events = ParserEvent.run(RequestSamples.bytes("\(line) HTTP/\(version)\r\n\(fields)\r\n"))
        guard case .head(_, _, _, let fields, _, _) = events.first else {
            Issue.record("no head")
            return
        }
        #expect(fields.values("Host") == [host])
    }

    @Test func countsTheLimitsToTheByte() {
        var limits = RequestLimits()
        limits.requestLine = 20
        limits.headerBytes = 20
        func status(_ text: String) -> Int? {
            guard case .refused(let refusal) = ParserEvent.run(RequestSamples.bytes(text), limits: limits).last else {
                return nil
            }
            return refusal.status
        }
        #expect(status("GET /1234567 HTTP/1.1\r\nHost: a\r\n\r\n") == 414)
        #expect(status("GET /123456 HTTP/1.1\r\nHost: a\r\n\r\n") == nil)
        #expect(status("GET /12345678901234567890") == 414)
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\nX: 678901\r\n\r\n") == nil)
        #expect(status("GET / HTTP/1.1\r\nHost: a\r\nX: 67890123456789\r\n\r\n") == 431)
    }

    @Test func limitsTheBodyThatWasAdmitted() {
        let length = RequestSamples.bytes("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n123456")
        #expect(ParserEvent.run(length, bodyLimit: 6).last == .end)
        #expect("\(ParserEvent.run(length, bodyLimit: 5))".contains("refused 413"))
        let chunked = RequestSamples.bytes(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n3\r\n456\r\n0\r\n\r\n")
        #expect(ParserEvent.run(chunked, bodyLimit: 6).last == .end)
        let events = ParserEvent.run(chunked, bodyLimit: 5)
        #expect("\(events)".contains("refused 413"))
        #expect(events.contains(.body(Array("123".utf8))))
    }

    @Test func staysRefused() {
        var parser = RequestParser()
        var position = 0
        let bad = RequestSamples.bytes("bad\r\n")
        guard case .refused(let first) = parser.next(bad.span, at: &position) else {
            Issue.record("not refused")
            return
        }
        let good = RequestSamples.bytes(RequestSamples.next)
        position = 0
        guard case .refused(let second) = parser.next(good.span, at: &position) else {
            Issue.record("not refused again")
            return
        }
        #expect(first == second)
    }
}
