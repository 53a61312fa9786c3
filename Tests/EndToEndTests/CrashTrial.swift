import Foundation
import MedleyCore

/// Kills servers on one data directory under load, and compares what each next one serves with what clients were told.
final class CrashTrial {
    /// Counts for the summary.
    struct Totals {
        var kills = 0
        var acknowledged = 0
        var refused = 0
        var polls = 0
        var carriedOut = 0
        var absent = 0
        var replays = 0
        var revisions = 0
        var lineages = 0
    }

    /// The collections, and who writes to them: some are shared.
    private static let writersOf = [
        "a": [0, 1], "b": [2, 3], "c": [3], "d": [4], "e": [5], "f": [4, 5], "large": [6],
    ]

    let folder: URL
    let history = CrashHistory()
    var generator: SeededGenerator
    var totals = Totals()
    var models: [CrashModel]
    /// All edits that were acknowledged, from which repetitions are drawn.
    var acknowledged: [CrashHistory.Record] = []
    /// The collections that have two writers.
    let shared: Set<String>
    /// The milliseconds that a start took.
    private var startTime = 50
    private let writers: [CrashWriter]
    private let pollers: [CrashPoller]
    private let root: URL

    /// A trial in a new directory below `MEDLEY_CRASH_FOLDER` or the system's temporary one.
    init(_ name: String, seed: UInt64) throws {
        let environment = ProcessInfo.processInfo.environment
        let parent =
            environment["MEDLEY_CRASH_FOLDER"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory
        root = parent.appendingPathComponent("medley-crash-\(name)-\(seed)-\(UUID().uuidString.prefix(8))")
        folder = root.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        generator = SeededGenerator(seed)
        let names = Self.writersOf.keys.sorted()
        models = names.map { CrashModel($0) }
        let shared = Set(names.filter { (Self.writersOf[$0] ?? []).count > 1 })
        self.shared = shared
        let history = self.history
        writers = (0..<7).map { number in
            CrashWriter(
                number, of: names.filter { Self.writersOf[$0]?.contains(number) == true }, shared: shared,
                seed: seed &* 31 &+ UInt64(number), history)
        }
        pollers = (0..<2).map { CrashPoller(of: names, seed: seed &* 37 &+ UInt64($0), history) }
    }

    /// Starts a server on the directory.
    func start() throws -> CrashServer { try CrashServer(data: folder) }

    /// Loads a server that serves and kills it at a moment within 400 ms.
    func killUnderLoad(_ server: CrashServer) throws {
        let load = CrashLoad(port: try server.servingPort(), writers: writers, pollers: pollers, history)
        do {
            try load.waitUntilRunning()
            load.goOn(milliseconds: Int.random(in: 0...400, using: &generator))
        } catch {
            try load.kill(server)
            throw error
        }
        try load.kill(server)
        totals.kills += 1
    }

    /// Starts a server on the directory and waits until it serves; notes how long that takes.
    func startServing() throws -> CrashServer {
        let began = ContinuousClock.now
        let server = try start()
        _ = try server.servingPort()
        startTime = Int((ContinuousClock.now - began) / .milliseconds(1))
        return server
    }

    /// Starts servers and kills each while it recovers: within 50 ms, or within the time that the last start took.
    func killStarts(_ count: Int) throws {
        for _ in 0..<count {
            let server = try start()
            let longest = generator.chance(40) ? 50 : startTime
            let delay = Int.random(in: 0...longest, using: &generator)
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(delay))
            try server.end(by: SIGKILL)
            totals.kills += 1
        }
    }

    /// Removes the directory, or says where it is if something was wrong.
    func end(keeping isKept: Bool) {
        if isKept {
            print("crash: the data directory is kept: \(folder.path)")
        } else {
            try? FileManager.default.removeItem(at: root)
        }
    }

    func printSummary() {
        print(
            "crash: \(totals.kills) kills; \(totals.acknowledged) edits acknowledged, \(totals.refused) refused, "
                + "\(totals.carriedOut + totals.absent) unanswered and retried: \(totals.carriedOut) carried out, "
                + "\(totals.absent) absent; \(totals.replays) repetitions; \(totals.revisions) revisions checked, "
                + "\(totals.lineages) lineages ended, \(totals.polls) polls")
    }
}
