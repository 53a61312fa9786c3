import EventLoop
import Foundation
import Glibc
import Testing

/// `medley export` as a process of its own, and exports over sockets.
@Suite struct ExportTests {
    /// A server with a collection `large` of so many items.
    private static func served(_ count: Int) throws -> RunningServer {
        let running = try RunningServer()
        let items = (0..<count).map {
            #"{"id":"i\#($0)","type":"music","title":"Item \#($0)","artist":"A & B","url":"http://media.example/\#($0)"}"#
        }
        let body = #"{"title":"Large","sections":[{"id":"s","title":"S","items":[\#(items.joined(separator: ","))]}]}"#
        let reply = try running.connect().send(
            "PUT", "/v1/collections/large", [("Prefer", "return=minimal")], json: Array(body.utf8))
        try #require(reply.status == 201)
        return running
    }

    private static func process(_ arguments: [String], in folder: URL) throws -> Process {
        let process = Process()
        let command: URL = try #require(ServedProcess.command)
        process.executableURL = command
        process.arguments = ["export"] + arguments
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        return process
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-export-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test(arguments: ["m3u", "pls", "xspf", "jspf", "csv", "tsv", "jsonl"])
    func theCommandAndTheServerWriteTheSame(format: String) throws {
        let running = try Self.served(2_000)
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = "http://127.0.0.1:\(running.port)/v1/collections/large"
        let export = try Self.process([url, "-o", "large.\(format)"], in: folder)
        try export.run()
        export.waitUntilExit()
        #expect(export.terminationStatus == 0)
        #expect(Self.names(in: folder) == ["large.\(format)"])
        let written = try Data(contentsOf: folder.appendingPathComponent("large.\(format)"))
        let connection = try running.connect()
        let plain = try connection.send("GET", "/v1/collections/large?format=\(format)")
        #expect(plain.status == 200 && plain["transfer-encoding"] == "chunked")
        #expect(Data(plain.body) == written)
        let head = try connection.send("HEAD", "/v1/collections/large?format=\(format)")
        #expect(head.status == 200 && head.body.isEmpty && head["etag"] == plain["etag"])
        #expect(head["content-type"] == plain["content-type"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalLeavesNothingBehind(signal: Int32) throws {
        // It writes for seconds where it is asked to end at once.
        let running = try Self.served(20_000)
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = "http://127.0.0.1:\(running.port)/v1/collections/large"
        try Data("before".utf8).write(to: folder.appendingPathComponent("large.xspf"))
        let export = try Self.process([url, "-o", "large.xspf"], in: folder)
        try export.run()
        let end = EventLoop.now() + 60_000_000_000
        while export.isRunning, Self.names(in: folder).count < 2, EventLoop.now() < end { sched_yield() }
        #expect(Self.names(in: folder).count == 2)
        kill(export.processIdentifier, signal)
        export.waitUntilExit()
        #expect(export.terminationStatus == 128 + signal)
        #expect(Self.names(in: folder) == ["large.xspf"])
        #expect(try Data(contentsOf: folder.appendingPathComponent("large.xspf")) == Data("before".utf8))
    }
}
