import Foundation
import Testing

/// Clients that follow a collection through everything that can happen to it: Tests/Scenarios/README.md.
@Suite(.serialized) struct ScenarioTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios/live.json")

    private func replay(_ scenario: Scenario) async throws {
        var runner = try ScenarioRunner(scenario)
        defer { runner.end() }
        let start = ContinuousClock.now
        try await runner.run()
        let steps = runner.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("\(steps.joined(separator: ", ")) in \(ContinuousClock.now - start)")
        for client in runner.clients {
            print("  a client: \(client.current.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        }
        // What the first client, there from the beginning, must have lived through.
        let first = try #require(runner.clients.first).current
        #expect(runner.counts.values.reduce(0, +) == scenario.steps.count)
        #expect(first.counts["gone", default: 0] > 0)
        #expect(first.counts["updated", default: 0] > 0)
        #expect(first.counts["reset", default: 0] > 2)
    }

    @Test func theSharedScenarioEndsWithWhatTheServerHas() async throws {
        if let path = ProcessInfo.processInfo.environment["MEDLEY_WRITE_SCENARIO"] {
            try Data(Scenario.random(seed: SeededGenerator.seed).json).write(to: URL(fileURLWithPath: path))
        }
        try await replay(Scenario([UInt8](Data(contentsOf: Self.file))))
    }

    @Test func aScenarioOfAnotherSeedEndsWithWhatTheServerHas() async throws {
        let seed = SeededGenerator.seed
        print("MEDLEY_SEED=\(seed)")
        // Through its file's form, so that what is written is what is replayed.
        try await replay(Scenario(Scenario.random(seed: seed).json))
    }
}
