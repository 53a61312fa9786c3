import Synchronization

/// Takes lines of a log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }
    var log: @Sendable (String) -> Void { { line in self.lines.withLock { $0.append(line) } } }

    /// How many lines hold a text.
    func count(_ text: String) -> Int { all.count { $0.contains(text) } }
}
