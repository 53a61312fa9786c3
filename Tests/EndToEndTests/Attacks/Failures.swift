import Synchronization

/// What went wrong in threads.
final class Failures: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    var first: String? { texts.withLock { $0.first } }
}
