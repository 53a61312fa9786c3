import EventLoop
import Foundation
import JSONText
import MedleyApp
import MedleyCore
import MedleyJSON
import Testing

/// The whole service on a free port of loopback, as `medley serve` runs it.
final class RunningServer: Sendable {
    let server: MedleyServer
    let port: UInt16

    init(_ arguments: [String] = []) throws {
        let store = arguments.contains("--data") ? [] : ["--memory"]
        let options = try ServeOptions(
            arguments: ["--listen", "127.0.0.1:0"] + store + arguments, environment: [:], cores: 2)
        server = try MedleyServer(options)
        port = server.addresses[0].port
    }

    deinit { server.stop(grace: 1) }

    func connect() throws -> ServerConnection { ServerConnection(try TestClient(port: port), port: port) }
}

/// A kept-alive connection that sends requests one after the other.
final class ServerConnection {
    private let client: TestClient
    let port: UInt16

    init(_ client: TestClient, port: UInt16) {
        self.client = client
        self.port = port
    }

    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: [UInt8]? = nil
    ) throws -> TestClient.Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let json { head += "Content-Type: application/json\r\nContent-Length: \(json.count)\r\n" }
        try client.send(Array((head + "\r\n").utf8) + (json ?? []))
        return try client.receive(toHead: method == "HEAD")
    }

    /// A PATCH of a collection by changes, and its answer.
    func patch(
        _ collection: String, _ changes: [Change], key: String? = nil
    ) throws -> (reply: TestClient.Reply, answer: ChangesAnswer?) {
        let body = Array(#"{"changes":"#.utf8) + ChangeEncoder.encoded(changes) + Array("}".utf8)
        let headers = key.map { [("Idempotency-Key", $0)] } ?? []
        let reply = try send("PATCH", "/v1/collections/\(collection)", headers, json: body)
        return (reply, reply.status == 200 ? try ChangeDecoder().changesAnswer(reply.body) : nil)
    }

    /// The changes since a revision.
    func changes(_ collection: String, since: Revision) throws -> ChangesAnswer {
        let reply = try send("GET", "/v1/collections/\(collection)/changes?since=\(since)")
        try #require(reply.status == 200, "\(reply.text)")
        return try ChangeDecoder().changesAnswer(reply.body)
    }

    /// The snapshot's JSON and its revision.
    func snapshot(_ collection: String) throws -> (json: [UInt8], revision: Revision) {
        let reply = try send("GET", "/v1/collections/\(collection)")
        try #require(reply.status == 200, "\(reply.text)")
        return (reply.body, try #require(reply["Revision"].flatMap { Revision($0) }))
    }
}

extension Replica {
    /// A client that has read a snapshot's JSON.
    init(json: [UInt8], revision: Revision) throws {
        self.init()
        let content = try SnapshotDecoder().content(json)
        let snapshot = try Snapshot(lineage: revision.lineage, content: content)
        try apply(snapshot.changesFromNothing(), isReset: true, to: revision)
    }
}
