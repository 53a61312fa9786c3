import Foundation
import MedleyClient
import MedleyJSON
import Testing

@testable import MedleyCore

/// Replays a scenario against `medley serve`.
struct ScenarioRunner {
    private let scenario: Scenario
    private let root: URL
    private var folder: URL
    private var served: ServedProcess
    private let port: UInt16
    private(set) var clients: [FollowingClient] = []
    private var restores = 0
    /// What the scenario did, by the names of steps.
    private(set) var counts: [String: Int] = [:]

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        root = FileManager.default.temporaryDirectory.appendingPathComponent("medley-scenario-\(UUID().uuidString)")
        folder = root.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        served = try ServedProcess(["--data", folder.path])
        port = served.port
    }

    /// Stops the server and removes what was made.
    func end() {
        served.kill()
        try? FileManager.default.removeItem(at: root)
    }

    mutating func run() async throws {
        for (index, step) in scenario.steps.enumerated() {
            do {
                try await carryOut(step)
            } catch {
                Issue.record("step \(index), \(step.name): \(error)")
                return
            }
            counts[step.name, default: 0] += 1
            if let failure = clients.compactMap(\.current.failure).first {
                Issue.record("at step \(index), \(step.name): \(failure)")
                return
            }
        }
    }

    private mutating func carryOut(_ step: Scenario.Step) async throws {
        switch step {
        case .follow: try follow()
        case .create(let content):
            try send("PUT", SnapshotEncoder.encoded(content), [("If-None-Match", "*")], expecting: 201)
        case .replace(let content): try send("PUT", SnapshotEncoder.encoded(content), expecting: 200)
        case .edit(let changes): try send("PATCH", PatchBody(changes: changes).encoded(), expecting: 200)
        case .delete: try send("DELETE", nil, expecting: 204)
        case .kill: served.kill()
        case .start: served = try ServedProcess(["--data", folder.path], port: port)
        case .backup(let name): try command(["backup", folder.path, backup(name).path])
        case .restore(let name):
            restores += 1
            folder = root.appendingPathComponent("restored-\(restores)")
            try command(["restore", backup(name).path, folder.path])
        case .settle: try await settle()
        }
    }

    private func backup(_ name: String) -> URL { root.appendingPathComponent("\(name).backup") }

    private var path: String { "/v1/collections/\(scenario.collection)" }

    private func connect() throws -> ServerConnection { ServerConnection(try TestClient(port: port), port: port) }

    private func send(
        _ method: String, _ body: [UInt8]?, _ headers: [(String, String)] = [], expecting status: Int
    ) throws {
        let reply = try connect().send(method, path, headers, json: body)
        try #require(reply.status == status, "\(reply.text)")
    }

    private func command(_ arguments: [String]) throws {
        let (status, text) = try ServedProcess.run(arguments)
        try #require(status == 0, "\(text)")
    }

    private mutating func follow() throws {
        let url = try CollectionURL("http://127.0.0.1:\(port)\(path)")
        clients.append(FollowingClient(CollectionClient(url: url, retries: RetryPolicy(first: 0.05, longest: 0.5))))
    }

    /// Waits until each client holds what the server has, byte for byte.
    private func settle() async throws {
        let reply = try connect().send("GET", path)
        let revision = reply["Revision"].flatMap { Revision($0) }
        for client in clients {
            let state = try await Self.withinAMinute {
                await client.settle { state in
                    reply.status == 404 ? state.isGone : state.snapshot != nil && state.snapshot?.revision == revision
                }
            }
            if reply.status == 404 {
                try #require(state.isGone, "not told that it is gone: \(state)")
                continue
            }
            let revision = try #require(revision, "\(reply.text)")
            let snapshot = try #require(state.snapshot, "holds nothing instead of \(revision): \(state)")
            try #require(snapshot.revision == revision)
            try #require(NaiveCollection(snapshot).json(id: scenario.collection, revision: revision) == reply.body)
        }
    }

    private static func withinAMinute<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await Task.sleep(for: .seconds(60))
                return nil
            }
            while let result = try await group.next() {
                group.cancelAll()
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}
