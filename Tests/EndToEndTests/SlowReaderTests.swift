import Foundation
import Testing

/// Clients that ask for much and read nothing.
@Suite(.enabled(if: ServedProcess.command != nil, "the command is not beside the tests"))
struct SlowReaderTests {
    private static let items = 600
    private static let clients = 24
    /// What docs/limits.md says that a connection takes where models have 20 KiB, and room for what an allocator keeps.
    private static let most = clients * (1 << 20)
    private static let mix = "/v1/collections/big"

    /// The resident memory of a process, in bytes.
    private static func resident(_ process: ServedProcess) throws -> Int {
        let path = "/proc/\(process.process.processIdentifier)/status"
        let line = try #require(
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split { !$0.isNumber }.joined())) << 10
    }

    private static func text(_ method: String, _ target: String, _ json: String? = nil, gzip: Bool = false) -> String {
        let body = json.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        let coding = gzip ? "Accept-Encoding: gzip\r\n" : ""
        return "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(coding)\(body)\r\n\(json ?? "")"
    }

    @Test(arguments: [false, true])
    func whoReadsNothingTakesLittleWhateverItAsksFor(gzip: Bool) throws {
        let served = try ServedProcess(["--memory", "--loops", "1"])
        // Hard to compress, so that gzip's answers are long too.
        var random = SystemRandomNumberGenerator()
        let items = (0..<Self.items).map { number in
            let model = Data((0..<15_000).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
            return #"{"id":"i\#(number)","type":"video","m":"\#(model)"}"#
        }
        let setup = try TestClient(port: served.port)
        func send(_ method: String, _ target: String, _ json: String? = nil) throws -> TestClient.Reply {
            try setup.send(Self.text(method, target, json))
            return try setup.receive()
        }
        let made = try send("PUT", Self.mix, #"{"sections":[{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#)
        #expect(made.status == 201)
        let revision = try #require(made["revision"])
        let ids = (0..<Self.items).map { "i\($0)" }
        let all = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let like = #"{"base":"\#(revision)","changes":[{"op":"toggleLike","ids":\#(all)}]}"#
        #expect(try send("PATCH", Self.mix, like).status == 200)

        let requests = [
            ("GET", Self.mix, nil), ("GET", Self.mix + "?limit=600", nil), ("GET", Self.mix + "?liked=true", nil),
            ("GET", Self.mix + "/items", nil), ("GET", Self.mix + "/items?ids=\(ids.joined(separator: ","))", nil),
            ("GET", Self.mix + "/items/i1", nil), ("GET", Self.mix + "/stores/video", nil),
            ("GET", Self.mix + "/changes", nil), ("GET", Self.mix + "/changes?since=\(revision)", nil),
            ("GET", Self.mix + "/events", nil), ("GET", Self.mix + "/events?since=\(revision)", nil),
            ("POST", "/v1/changes", #"{"since":{"big":null}}"#),
            ("POST", "/v1/changes", #"{"since":{"big":"\#(revision)"}}"#), ("GET", "/v1/collections", nil),
            ("PATCH", Self.mix, #"{"ifRevision":"other-1","changes":[]}"#), ("PATCH", Self.mix, like),
        ]
        // They stay, so that none is given the memory of another.
        var everyone: [TestClient] = []
        let start = try Self.resident(served)
        for (method, target, json) in requests {
            let request = Self.text(method, target, json, gzip: gzip)
            // What is made once for all readers is not theirs.
            let first = try TestClient(port: served.port)
            try first.send(request)
            if target.contains("/events") {
                _ = try first.receiveHead()
                for _ in 0..<3 { _ = try first.receiveChunkBytes() }
            } else {
                _ = try first.receive()
            }
            let before = try Self.resident(served)
            let clients = try (0..<Self.clients).map { _ in try TestClient(port: served.port, receiveBuffer: 4_096) }
            for client in clients { try client.send(request) }
            for client in clients { #expect([200, 412].contains(try client.receiveHead().status)) }
            // One loop: what it does for those before is done when this is answered for the second time.
            for _ in 0..<2 { #expect(try send("GET", "/healthz").status == 200) }
            everyone += clients
            let growth = try Self.resident(served) - before
            #expect(growth <= Self.most, "\(method) \(target.prefix(60)): \(growth >> 10) KiB")
        }
        let growth = try Self.resident(served) - start
        #expect(growth <= everyone.count << 20, "\(everyone.count) clients: \(growth >> 10) KiB")
    }
}
