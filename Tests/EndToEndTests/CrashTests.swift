import Foundation
import Testing

/// What was acknowledged is there after the server was killed, whatever the moment; nothing else is, and nothing twice.
///
/// `Scripts/crash` runs this for longer. `MEDLEY_CRASH_KILLS` is the number of kills under load, `MEDLEY_SEED` repeats a
/// trial's edits and moments, as far as threads let it.
@Suite(.serialized) struct CrashTests {
    private static let kills =
        ProcessInfo.processInfo.environment["MEDLEY_CRASH_KILLS"].flatMap { Int($0) } ?? 10

    @Test func everyAcknowledgedEditSurvivesKillsUnderLoad() throws {
        try trial("load") { trial in
            var server = try trial.start()
            for _ in 0..<max(Self.kills, 1) where trial.history.findings.isEmpty {
                try trial.killUnderLoad(server)
                server = try trial.start()
                try trial.check(try server.servingPort())
            }
            try Self.restart(trial, server)
        }
    }

    @Test func aRecoveryThatIsKilledLosesNothing() throws {
        try trial("start") { trial in
            var server = try trial.startServing()
            for _ in 0..<max(Self.kills / 5, 2) where trial.history.findings.isEmpty {
                try trial.killUnderLoad(server)
                try trial.killStarts(3)
                server = try trial.startServing()
                try trial.check(try server.servingPort())
            }
            try Self.restart(trial, server)
        }
    }

    @Test func oneDirectoryHasOneServer() throws {
        try trial("two") { trial in
            for _ in 0..<3 where trial.history.findings.isEmpty {
                let servers = [try trial.start(), try trial.start()]
                let serving = try servers.filter { try Self.serves($0, trial) }
                guard serving.count == 1, let winner = serving.first else {
                    trial.history.fail("\(serving.count) of two servers serve from one directory")
                    return
                }
                // Nor does one that comes later get in, and none of them does the data any harm.
                let third = try trial.start()
                if try Self.serves(third, trial) { trial.history.fail("a later server serves from a directory in use") }
                try trial.killUnderLoad(winner)
                let next = try trial.start()
                try trial.check(try next.servingPort())
                try next.end(by: SIGKILL)
            }
        }
    }

    /// Whether a server serves; one that does not must have ended, and said of which directory.
    private static func serves(_ server: CrashServer, _ trial: CrashTrial) throws -> Bool {
        guard case .ended(let status) = try server.outcome() else { return true }
        let errors = server.errors
        if status == 0 { trial.history.fail("a server that cannot have its directory ended with 0: \(errors)") }
        if !errors.contains(trial.folder.path) { trial.history.fail("no word of the directory: \(errors)") }
        return false
    }

    /// Runs a trial, whose directory is kept if something was wrong.
    private func trial(_ name: String, _ body: (CrashTrial) throws -> Void) throws {
        let seed = SeededGenerator.seed
        print("crash: MEDLEY_SEED=\(seed) MEDLEY_CRASH_KILLS=\(Self.kills) (\(name))")
        let trial = try CrashTrial(name, seed: seed)
        var isRight = false
        defer {
            trial.printSummary()
            trial.end(keeping: !isRight)
        }
        do { try body(trial) } catch { trial.history.fail("\(error)") }
        let findings = trial.history.findings
        isRight = findings.isEmpty
        for finding in findings { Issue.record("\(finding)") }
        #expect(trial.totals.acknowledged > 0)
    }

    /// A restart in order changes no byte of what is served.
    private static func restart(_ trial: CrashTrial, _ server: CrashServer) throws {
        let before = try served(trial, server)
        let status = try server.end(by: SIGTERM)
        if status != 0 { trial.history.fail("a stop in order ended with \(status): \(server.errors)") }
        let next = try trial.start()
        if try served(trial, next) != before { trial.history.fail("a restart in order changed something") }
        try next.end(by: SIGKILL)
    }

    private static func served(_ trial: CrashTrial, _ server: CrashServer) throws -> [[UInt8]?] {
        let port = try server.servingPort()
        let connection = ServerConnection(try TestClient(port: port), port: port)
        let list = try connection.send("GET", "/v1/collections")
        return try trial.found(over: connection).map { $0?.json } + [list.body]
    }
}
