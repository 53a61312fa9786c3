import Foundation
import Testing

/// `medley serve --tls-cert … --tls-key …` as a process of its own, asked by other programs too.
@Suite struct TLSServeTests {
    private struct Served {
        let made: TestCertificate
        let process: ServedProcess
        var port: UInt16 { process.port }

        init(_ arguments: [String] = []) throws {
            made = try TestCertificate()
            process = try ServedProcess(
                ["--memory", "--sample", "--tls-cert", made.certificate, "--tls-key", made.key] + arguments)
        }

        func connect() throws -> (client: TestClient, transport: TLSTransport) {
            var transport: TLSTransport?
            let client = try TestClient(port: port) {
                let made = try TLSTransport($0, authority: made.certificate)
                transport = made
                return made
            }
            return (client, try #require(transport))
        }

        func stop() {
            kill(process.process.processIdentifier, SIGTERM)
            process.process.waitUntilExit()
        }
    }

    private static func get(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static let hasCurl: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/curl") }
    }()

    @Test(.enabled(if: hasCurl, "curl is not installed")) func curlTakesTheCertificate() throws {
        let served = try Served()
        func curl(_ arguments: [String]) throws -> (status: Int32, text: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["curl", "-sS", "--max-time", "20", "--noproxy", "*"] + arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
        for host in ["127.0.0.1", "localhost"] {
            let url = "https://\(host):\(served.port)/v1/collections/mix"
            let (status, text) = try curl(["--cacert", served.made.certificate, "--ipv4", url])
            #expect(status == 0 && text.contains(#""id":"mix""#), "\(text)")
        }
        // Who does not know the certificate is not spoken to.
        #expect(try curl(["https://127.0.0.1:\(served.port)/"]).status == 60)
        let (status, text) = try curl(["http://127.0.0.1:\(served.port)/v1"])
        #expect(status == 0 && text.contains("https"))
        served.stop()
    }

    @Test(arguments: [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1", false), ("-tls1", false)])
    func onlyNewVersionsAreSpoken(_ version: String, _ isSpoken: Bool) throws {
        let served = try Served()
        // At level 0 the client itself would take the old ones.
        let (status, text) = try TestCertificate.output(
            of: [
                "s_client", "-connect", "127.0.0.1:\(served.port)", version, "-cipher", "ALL:@SECLEVEL=0", "-CAfile",
                served.made.certificate, "-verify_return_error", "-quiet", "-ign_eof",
            ], input: Self.get("/v1", "Connection: close\r\n"))
        #expect((status == 0) == isSpoken, "\(text)")
        #expect(text.contains("HTTP/1.1 200 OK") == isSpoken, "\(text)")
        served.stop()
    }

    @Test func aHangUpHasTheCertificateReadAgain() throws {
        let served = try Served()
        let (old, first) = try served.connect()
        try old.send(Self.get("/v1"))
        #expect(try old.receive().status == 200)
        try served.made.renew()
        kill(served.process.process.processIdentifier, SIGHUP)
        // The old one is not in the file any more: connections with it fail.
        var renewed: (client: TestClient, transport: TLSTransport)?
        eventually("the new certificate is shown") {
            renewed = try? served.connect()
            return renewed != nil
        }
        let (new, second) = try #require(renewed)
        #expect(first.certificate != second.certificate)
        // One that cannot be used is told in the log, and changes nothing.
        let key = try Data(contentsOf: URL(fileURLWithPath: served.made.key))
        try Data().write(to: URL(fileURLWithPath: served.made.key))
        kill(served.process.process.processIdentifier, SIGHUP)
        for client in [old, new] {
            try client.send(Self.get("/v1/collections/mix"))
            #expect(try client.receive().status == 200)
        }
        #expect(try served.connect().transport.certificate == second.certificate)
        try key.write(to: URL(fileURLWithPath: served.made.key))
        served.stop()
        let log = served.process.restOfLog()
        #expect(log.contains("the certificate in \(served.made.certificate) is in force for new connections"))
        #expect(log.contains("\(served.made.key) holds no private key"))
        #expect(log.contains("the certificate stays the one that was in force"))
    }

    @Test func eventsComeAndAreToldOfTheStop() throws {
        let served = try Served()
        let (stream, _) = try served.connect()
        try stream.send(Self.get("/v1/collections/mix/events"))
        #expect(try stream.receiveHead().status == 200)
        let (poll, _) = try served.connect()
        try poll.send(Self.get("/v1/collections/mix", "Connection: keep-alive\r\n"))
        let revision = try #require(try poll.receive()["Revision"])
        let (editor, _) = try served.connect()
        let (idle, _) = try served.connect()
        var text = ""
        func wait(for part: String) throws {
            while !text.contains(part) { text += try #require(try stream.receiveChunk(), "\(text)") }
        }
        try wait(for: revision)
        try poll.send(Self.get("/v1/collections/mix/changes?since=\(revision)&wait=30"))
        let body = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#
        try editor.send(
            "PATCH /v1/collections/mix HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let edit = try editor.receive()
        #expect(edit.status == 200)
        try wait(for: try #require(edit["Revision"]))
        #expect(try poll.receive().status == 200)
        kill(served.process.process.processIdentifier, SIGTERM)
        try wait(for: "bye")
        while try stream.receiveChunk() != nil {}
        // All of them end as TLS does.
        for client in [stream, idle, poll, editor] { #expect(client.receiveToEnd() == ([], true)) }
        served.process.process.waitUntilExit()
        #expect(served.process.process.terminationStatus == 0)
    }

    @Test func mistakesEndTheStart() throws {
        let made = try TestCertificate()
        let other = try TestCertificate()
        for (arguments, words) in [
            (["--tls-cert", made.certificate, "--tls-key", other.key], "is not the key of the certificate"),
            (["--tls-cert", made.key + "x", "--tls-key", made.key], "cannot be read: No such file"),
        ] {
            let (status, text) = try ServedProcess.run(
                ["serve", "--memory", "--listen", "127.0.0.1:0"] + arguments)
            #expect(status == 1)
            #expect(text.contains(words) && text.split(separator: "\n").count == 1, "\(text)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: made.key)
        let (status, text) = try ServedProcess.run(
            ["serve", "--memory", "--listen", "127.0.0.1:0", "--tls-cert", made.certificate, "--tls-key", made.key])
        #expect(status == 1 && text.contains("chmod o="), "\(text)")
        #expect(try ServedProcess.run(["serve", "--tls-cert", made.certificate]).status == 2)
    }

    @Test func aCookieIsSecureByTLSAndByATrustedProxy() throws {
        let folder = try TestCertificate()
        let tokens = folder.folder.appendingPathComponent("tokens").path
        let token = try ServedProcess.run([
            "token", "new", "a", "--right", "read", "--collections", "*", "--file", tokens,
        ]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let request =
            "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
            + "Content-Length: 0\r\nX-Forwarded-Proto: https\r\n\r\n"
        let served = try Served(["--token-file", tokens])
        let (client, _) = try served.connect()
        try client.send(request.replacing("X-Forwarded-Proto: https\r\n", with: ""))
        #expect(try client.receive()["Set-Cookie"]?.hasSuffix("; Secure") == true)
        served.stop()
        for (arguments, isSecure) in [(["--trust-proxy", "loopback"], true), ([], false)] {
            let running = try RunningServer(["--token-file", tokens] + arguments)
            let client = try TestClient(port: running.port)
            try client.send(request)
            #expect(try client.receive()["Set-Cookie"]?.hasSuffix("; Secure") == isSecure)
        }
    }
}
