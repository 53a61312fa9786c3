import Synchronization

/// How many connections are open on all loops of a server.
final class OpenConnections: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts one more, unless there are `limit` already.
    func enter(limit: Int) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            leave()
            return false
        }
        return true
    }

    /// Counts one less.
    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
