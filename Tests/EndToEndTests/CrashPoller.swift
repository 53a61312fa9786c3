import MedleyCore

/// A client that only reads, and notes every revision that it sees.
// SAFETY: used from one thread at a time, the poller's own or, between two loads, the test's.
final class CrashPoller: @unchecked Sendable {
    private var views: [CrashView]
    private var generator: SeededGenerator
    private let history: CrashHistory

    init(of collections: [String], seed: UInt64, _ history: CrashHistory) {
        views = collections.map { CrashView($0) }
        generator = SeededGenerator(seed)
        self.history = history
    }

    /// Polls until the connection breaks off.
    func run(over connection: ServerConnection) throws {
        while true {
            for index in views.indices {
                let before = views[index].revision
                // Now and then the snapshot itself, so that the copy is compared with it.
                if generator.chance(10) {
                    try views[index].read(over: connection, history)
                } else {
                    try views[index].catchUp(over: connection, history)
                }
                if let revision = views[index].revision, revision != before, let json = views[index].json {
                    history.note(json, of: views[index].collection, at: revision)
                }
            }
        }
    }
}
