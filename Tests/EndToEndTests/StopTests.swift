import Foundation
import Testing

/// `medley serve` as a process of its own.
@Suite struct StopTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalFinishesWhatRunsAndEndsWithZero(signal: Int32) throws {
        let served = try ServedProcess(["--sample", "--memory"])
        let idle = try TestClient(port: served.port)
        let busy = try TestClient(port: served.port)
        try idle.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try idle.receive().status == 200)
        // A request of which half has come when the signal does.
        let body = #"{"changes":[{"op":"like","ids":["v2"]}]}"#
        try busy.send(
            "PATCH /v1/collections/mix HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
        #expect(try busy.receive().status == 100)
        kill(served.process.processIdentifier, signal)
        // The idle connection is closed, in order, which also says that the stop has begun.
        #expect(idle.receiveToEnd().bytes.isEmpty)
        try busy.send(body)
        let reply = try busy.receive()
        #expect(reply.status == 200)
        #expect(reply["Connection"] == "close")
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)
        #expect(throws: (any Error).self) { try TestClient(port: served.port) }
    }

    @Test func aHangUpHasTheTokensReadAgain() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func token(_ arguments: [String]) throws -> String {
            let (status, text) = try ServedProcess.run(["token", "--file", path] + arguments)
            #expect(status == 0)
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let text = try token(["new", "reader", "--right", "read", "--collections", "mix"])
        let served = try ServedProcess(["--sample", "--memory", "--token-file", path])
        let request =
            "GET /v1/collections/mix/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(text)\r\n\r\n"
        let stream = try TestClient(port: served.port)
        try stream.send(request)
        #expect(try stream.receiveHead().status == 200)
        _ = try token(["revoke", "reader"])
        kill(served.process.processIdentifier, SIGHUP)
        while try stream.receiveChunk() != nil {}
        let again = try TestClient(port: served.port)
        try again.send(request)
        #expect(try again.receive().status == 401)
        kill(served.process.processIdentifier, SIGTERM)
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)
    }

    @Test(arguments: [
        (["serve", "--listen", "nowhere"], 1), (["serve", "--loops", "0"], 2), (["serve", "--nonsense"], 2),
        (["serve", "--listen", "0.0.0.0:0", "--memory"], 2), (["token"], 2), (["token", "--help"], 0),
        (["nonsense"], 2), ([], 2), (["--version"], 0), (["help"], 0), (["serve", "--help"], 0), (["import"], 2),
        (["watch"], 2),
        (["watch", "--help"], 0),
    ])
    func argumentsAreChecked(arguments: [String], status: Int) throws {
        let (ended, text) = try ServedProcess.run(arguments)
        #expect(Int(ended) == status, "\(text)")
        #expect(text.contains("medley"))
    }
}
