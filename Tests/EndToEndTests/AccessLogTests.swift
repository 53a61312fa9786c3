import Foundation
import Testing

/// The lines of requests, as `medley serve` writes them.
@Suite struct AccessLogTests {
    /// Ends a server and returns what it wrote: all lines, and the operator's.
    private func end(_ served: ServedProcess, _ output: Pipe) throws -> (lines: [String], operatorLines: String) {
        kill(served.process.processIdentifier, SIGTERM)
        try output.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return (text.split(separator: "\n").map(String.init), served.restOfLog())
    }

    private func tokenFile(_ body: (_ path: String, _ token: String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (status, text) = try ServedProcess.run([
            "token", "--file", path, "new", "phone", "--right", "read", "--collections", "mix",
        ])
        #expect(status == 0)
        try body(path, text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static let secret = "hunter2hunter2"

    @Test(arguments: ["plain", "json"])
    func aLineTellsWhoAskedForWhatAndNoSecret(form: String) throws {
        try tokenFile { path, token in
            let output = Pipe()
            let served = try ServedProcess(
                ["--sample", "--memory", "--token-file", path, "--access-log", form], output: output)
            let client = try TestClient(port: served.port)
            let shown = "Authorization: Bearer \(token)\r\n"
            let secret = Self.secret
            let requests: [(line: String, fields: String, body: String, status: Int, isNamed: Bool)] = [
                ("GET /v1/collections/mix?limit=1", shown, "", 200, true),
                ("GET /v1/collections/other", shown, "", 404, true),
                ("DELETE /v1/collections/mix", shown, "", 403, true),
                ("GET /v1/collections/mix?token=\(token)", shown, "", 400, true),
                ("GET /v1/collections?access_token=\(token)&password=\(secret)", "", "", 401, false),
                ("GET /v1/collections", "Cookie: medley_session=\(secret)\r\n", "", 401, false),
                ("GET /v1/collections", "Authorization: Bearer \(token)x\r\n", "", 401, false),
                ("GET /v1/collections", "Authorization: Basic \(secret)\r\n", "", 401, false),
                ("GET /\(token)", "", "", 404, false), ("GET /healthz", "X-Request-Id: \(token)\r\n", "", 200, false),
                ("GET /healthz", "X-Request-Id: probe/1\r\nReferer: http://a/?\(secret)\r\n", "", 200, false),
                ("POST /v1/session", shown, "", 200, true),
                (
                    "POST /v1/changes", shown + "Content-Type: application/json\r\n",
                    #"{"since":{"mix":null},"\#(secret)":1}"#, 400, true
                ),
                ("GET /\(token.replacing("_", with: "%5F"))", "", "", 404, false),
                ("GET /%6d\(token.dropFirst())", "", "", 404, false),
                ("GET /%25%36dedley%5f\(token.dropFirst(7))", "", "", 404, false),
            ]
            var ids: [String] = []
            var session = ""
            for request in requests {
                let length = request.body.isEmpty ? "" : "Content-Length: \(request.body.utf8.count)\r\n"
                try client.send(
                    "\(request.line) HTTP/1.1\r\nHost: localhost\r\n\(request.fields)\(length)\r\n\(request.body)")
                let reply = try client.receive()
                #expect(reply.status == request.status, "\(request.line) \(reply.text)")
                ids.append(reply["X-Request-Id"] ?? "")
                if let cookie = reply["Set-Cookie"] {
                    session = String(cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" })
                }
            }
            #expect(session.count == 43)
            #expect(ids[10] == "probe/1")
            let (lines, operatorLines) = try end(served, output)
            #expect(lines.count == requests.count)
            for (number, (line, request)) in zip(lines, requests).enumerated() {
                #expect(line.contains(" \(request.status) ") || line.contains(#""status":\#(request.status),"#))
                let isNamed = line.contains(" phone ") || line.contains(#""token":"phone""#)
                #expect(isNamed == request.isNamed, "\(line)")
                if ids[number] != token { #expect(line.contains(ids[number]), "\(line)") }
                let path = request.line.split(separator: " ")[1].prefix { $0 != "?" }
                if !path.contains("edley") { #expect(line.contains(path), "\(line)") }
                if form == "json" {
                    #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
                } else {
                    #expect(line.split(separator: " ", omittingEmptySubsequences: false).count == 10)
                }
            }
            let everything = lines.joined(separator: "\n") + operatorLines
            let tokenSecret = try #require(token.split(separator: "_").last)
            for text in [String(tokenSecret), session, secret, "limit"] {
                #expect(!everything.contains(text), "\(text)")
            }
        }
    }

    @Test func heldPollsStreamsAndRefusalsHaveTheirLines() throws {
        let output = Pipe()
        let served = try ServedProcess(["--sample", "--memory"], output: output)
        let mix = "/v1/collections/mix"
        let client = try TestClient(port: served.port)
        try client.send("GET \(mix)?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let revision = try #require(try client.receive()["Revision"])
        let poll = try TestClient(port: served.port)
        try poll.send("GET \(mix)/changes?since=\(revision)&wait=60 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var stream: TestClient? = try TestClient(port: served.port)
        try stream?.send("GET \(mix)/events HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: stream\r\n\r\n")
        let head = try #require(try stream?.receiveHead())
        #expect(head.status == 200 && head["X-Request-Id"] == "stream")
        stream = nil
        let refused = try TestClient(port: served.port)
        try refused.send("GET / HTTP/1.1\r\n\r\n")
        let refusal = try refused.receive()
        #expect(refusal.status == 400)
        try client.send("HEAD \(mix) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receive(toHead: true).status == 200)
        // The edit ends the poll; the stop ends what is left.
        try client.send("DELETE \(mix)/items/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receive().status == 200)
        let answer = try poll.receive()
        #expect(answer.status == 200)
        let (lines, _) = try end(served, output)
        let id = try #require(answer["X-Request-Id"])
        let held = try #require(lines.first { $0.hasSuffix(" \(id)") })
        #expect(held.contains(" 127.0.0.1 - GET \(mix)/changes 200 \(answer.body.count) ") && held.contains(" done "))
        let streamed = try #require(lines.first { $0.hasSuffix(" cut stream") })
        #expect(streamed.contains(" GET \(mix)/events 200 "))
        let refusalID = try #require(refusal["X-Request-Id"])
        #expect(lines.contains { $0.contains(" - - - 400 ") && $0.hasSuffix(" done \(refusalID)") })
        #expect(lines.contains { $0.contains(" HEAD \(mix) 200 0 ") })
        #expect(lines.count == 6)
    }

    @Test func aReaderThatStopsStopsNothing() throws {
        let output = Pipe()
        let served = try ServedProcess(["--sample", "--memory"], output: output)
        // Nobody reads: these are more lines than the pipe and the writer hold. Each is answered all the same.
        let requests = 200
        let long = "/" + String(repeating: "%22", count: 80)
        let batch = Array(
            String(
                repeating:
                    "GET \(long) HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: \(String(repeating: "i", count: 128))\r\n\r\n",
                count: requests
            )
            .utf8)
        let client = try TestClient(port: served.port)
        for _ in 0..<70 {
            try client.send(batch)
            for _ in 0..<requests { #expect(try client.receive().status == 404) }
        }
        // A reader that comes back is told what it missed, and then everything again.
        kill(served.process.processIdentifier, SIGTERM)
        try output.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)
        let lines = text.split(separator: "\n")
        let log = served.restOfLog()
        #expect(log.contains("nobody takes the lines of the access log"))
        let dropped = log.matches(of: /(\d+) lines of the access log were dropped/).reduce(0) {
            $0 + (Int($1.output.1) ?? 0)
        }
        #expect(dropped > 0)
        #expect(lines.count + dropped == 70 * requests)
        for line in lines { #expect(line.contains(" GET \(long) 404 ") && line.hasSuffix("iii")) }
    }

    @Test func offIsSilent() throws {
        let output = Pipe()
        let served = try ServedProcess(["--sample", "--memory", "--access-log", "off"], output: output)
        let client = try TestClient(port: served.port)
        try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let reply = try client.receive()
        #expect(reply.status == 200 && reply["X-Request-Id"]?.count == 16)
        #expect(try end(served, output).lines.isEmpty)
    }
}
