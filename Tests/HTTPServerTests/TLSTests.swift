import EventLoop
import Foundation
import HTTPServer
import Testing

@Suite struct TLSTests {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func client(
        _ test: TestServer, authority: TestCertificate? = nil, offers: [String] = ["http/1.1"]
    ) throws -> (client: TestClient, transport: TLSTransport) {
        let made = try #require(authority ?? TestCertificate.shared)
        var transport: TLSTransport?
        let client = try TestClient(port: test.server.addresses[0].port) {
            let made = try TLSTransport($0, authority: made.certificate, offers: offers)
            transport = made
            return made
        }
        return (client, try #require(transport))
    }

    @Test func agreesOnHTTP11() throws {
        try TestServer.run(over: .tls) { test in
            for (offers, chosen) in [(["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), ([], "")] {
                let (client, transport) = try Self.client(test, offers: offers)
                #expect(transport.applicationProtocol == chosen)
                try client.send(Self.get)
                #expect(try client.receive().status == 200)
            }
            #expect(throws: TestClient.Failure.self) { try Self.client(test, offers: ["h2"]) }
            eventually("the refused one is freed") { test.server.metrics.openConnections == 0 }
        }
    }

    @Test(arguments: Wire.allCases) func tellsHandlersOfTLS(_ wire: Wire) throws {
        try TestServer.run(over: wire) { test in
            let client = try test.connect()
            try client.send("GET /scheme HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: gopher\r\n\r\n")
            #expect(try client.receive().text == (wire == .tls ? "https" : "http"))
        }
    }

    @Test(arguments: [get, "\u{0}", "SSH-2.0-OpenSSH_9.2\r\n", "\u{17}\u{3}\u{3}\u{0}\u{1}a"])
    func whoSpeaksNoTLSIsToldSo(_ text: String) throws {
        try TestServer.run(over: .tls) { test in
            let client = try TestClient(port: test.server.addresses[0].port)
            try client.send(text)
            let reply = try client.receive()
            #expect(reply.status == 400 && reply.text.contains("https"))
            #expect(client.receiveToEnd() == ([], true))
            #expect(test.handler.admittedPaths == [])
            #expect(test.server.metrics.refusals == 1)
        }
    }

    /// The beginnings of handshakes, and whether their client goes on byte by byte.
    @Test(arguments: [0, 1, 11], [false, true])
    func aHandshakeHasTheTimeOfARequest(_ begun: Int, _ goesOn: Bool) throws {
        // A hello of 512 bytes, as its first bytes say.
        let hello: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3] + Array(repeating: 7, count: 100)
        try TestServer.run(over: .tls) { test in
            let client = try TestClient(port: test.server.addresses[0].port)
            try client.send(Array(hello[..<begun]))
            eventually("accepted") { test.server.metrics.openConnections == 1 }
            try test.settle()
            for second in 0..<29 {
                test.clock.advance(seconds: 1)
                if goesOn { try client.send([hello[begun + second]]) }
                try test.server.checkDeadlines()
            }
            #expect(test.server.metrics.openConnections >= 1)
            test.clock.advance(seconds: 1)
            try test.server.checkDeadlines()
            #expect(client.receiveToEnd().bytes.first != UInt8(ascii: "H"))
            eventually("freed") { test.server.metrics.openConnections == 0 }
        }
    }

    @Test(arguments: [
        // A record with more than a record holds, a version of no TLS, an alert, a hello of SSL 3.
        "\u{16}\u{3}\u{1}\u{FF}\u{FF}", "\u{16}\u{7}\u{1}\u{0}\u{5}\u{1}\u{0}\u{0}\u{1}\u{0}",
        "\u{16}\u{3}\u{1}\u{0}\u{4}\u{2}\u{0}\u{0}\u{0}",
        "\u{16}\u{3}\u{0}\u{0}\u{2D}\u{1}\u{0}\u{0}\u{29}\u{3}\u{0}" + String(repeating: "a", count: 32)
            + "\u{0}\u{0}\u{2}\u{0}\u{35}\u{1}\u{0}",
    ])
    func aWrongHandshakeEndsAtOnce(_ text: String) throws {
        try TestServer.run(over: .tls) { test in
            let client = try TestClient(port: test.server.addresses[0].port)
            try client.send(text.unicodeScalars.map { UInt8($0.value) } + [UInt8](repeating: 0, count: 100))
            #expect(client.receiveToEnd().bytes.first != UInt8(ascii: "H"))
            eventually("freed") { test.server.metrics.openConnections == 0 }
            #expect(test.server.metrics.refusals == 1)
        }
    }

    @Test func aHandshakeThatItsClientEndsIsFreed() throws {
        try TestServer.run(over: .tls) { test in
            for (index, bytes) in [[], [22], [22, 3, 1, 2, 0, 1]].enumerated() {
                for isReset in [false, true] {
                    let client = try TestClient(port: test.server.addresses[0].port)
                    try client.send(bytes.map { UInt8($0) })
                    let count = index * 2 + (isReset ? 2 : 1)
                    eventually("accepted") { test.server.metrics.acceptedConnections == count }
                    if isReset { client.reset() } else { client.endSending() }
                    eventually("freed") { test.server.metrics.openConnections == 0 }
                }
            }
        }
    }

    @Test func requestsComeInOneRecordAndInMany() throws {
        try TestServer.run(over: .tls) { test in
            let client = try test.connect()
            try client.send((0..<100).map { "GET /echo/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for number in 0..<100 { #expect(try client.receive().text == "GET /echo/\(number) ") }
            for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
                try client.send([byte])
            }
            #expect(try client.receive().text == "POST /echo abc")
        }
    }

    @Test func keysMayChange() throws {
        try TestServer.run(over: .tls) { test in
            let (client, transport) = try Self.client(test)
            for _ in 0..<3 {
                for _ in 0..<500 { #expect(transport.updateKeys()) }
                try client.send(Self.get)
                #expect(try client.receive().text == "GET /a ")
            }
        }
    }

    /// A client that has the server change keys again and again gives others their turn.
    @Test func messagesOfTLSLeaveOthersTheirTurn() throws {
        try TestServer.run(over: .tls) { test in
            let (busy, transport) = try Self.client(test)
            let (other, _) = try Self.client(test)
            let gate = try test.connect()
            try gate.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(test.handler.isHolding.wait())
            // The loop waits meanwhile, so that all of this is there when it goes on.
            for _ in 0..<1_000 { #expect(transport.updateKeys()) }
            try busy.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")
            try other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
            test.handler.gate.raise()
            #expect(try busy.receive().status == 200)
            #expect(try other.receive().status == 200)
            #expect(test.handler.paths == ["/gate", "/other", "/busy"])
        }
    }

    /// So much at once that the stream has decrypted input which the socket does not tell of.
    @Test func largeBodiesComeWhole() throws {
        try TestServer.run(over: .tls) { test in
            let client = try test.connect()
            let body = (0..<9_000_000).map { UInt8(truncatingIfNeeded: 97 + $0 % 26) }
            for _ in 0..<2 {
                try client.send("PUT /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n")
                try client.send(body + Array(Self.get.utf8))
                let reply = try client.receive()
                #expect(reply.body.count == body.count + 7 && reply.body.suffix(body.count) == body[...])
                #expect(try client.receive().text == "GET /a ")
            }
            #expect(test.server.metrics.bytesIn > 18_000_000)
        }
    }

    @Test(arguments: ["bytes", "length", "stream"]) func largeAnswersComeWhole(_ path: String) throws {
        try TestServer.run(over: .tls) { test in
            let client = try test.connect(receiveBuffer: 65_536)
            let size = path == "bytes" ? 20_000_000 : 64_000_000
            try client.send("GET /\(path)/\(size) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            let reply = try client.receive()
            #expect(reply.body == TestStream.content(size))
            #expect(try client.receive().text == "GET /a ")
        }
    }

    /// An answer that is not complete does not end as one that is.
    @Test func aCutAnswerIsKnownForThat() throws {
        try TestServer.run(over: .tls) { test in
            let client = try test.connect()
            try client.send("GET /short/1000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receiveHead()
            #expect(!client.receiveToEnd().isOrderly)
        }
    }

    @Test func aNewCertificateIsForNewConnections() throws {
        let made = try TestCertificate()
        let identity = try TLSIdentity(certificate: made.certificate, key: made.key)
        try TestServer.run(configure: { $0.identity = identity }) { test in
            let (old, first) = try Self.client(test, authority: made)
            try old.send(Self.get)
            #expect(try old.receive().status == 200)
            try made.renew(kind: ["rsa:2048"])
            try identity.reload()
            let (new, second) = try Self.client(test, authority: made)
            #expect(first.certificate != second.certificate && !second.certificate.isEmpty)
            for client in [old, new] {
                try client.send(Self.get)
                #expect(try client.receive().status == 200)
            }
            // One that cannot be used leaves all as it is.
            try "nonsense".write(toFile: made.key, atomically: false, encoding: .utf8)
            #expect(throws: EventLoopError.self) { try identity.reload() }
            let authority = try TestCertificate()
            try FileManager.default.removeItem(atPath: authority.certificate)
            try FileManager.default.copyItem(atPath: made.certificate, toPath: authority.certificate)
            let (_, third) = try Self.client(test, authority: authority)
            #expect(third.certificate == second.certificate)
        }
    }
}
