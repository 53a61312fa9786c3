import Synchronization

/// How many bytes of bodies that are on their way the server's connections hold. Thread-safe.
final class ReceivedBytes: Sendable {
    private let held = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes so many bytes, unless they would be more than the limit.
    func take(_ count: Int) -> Bool {
        guard held.add(count, ordering: .relaxed).newValue <= limit else {
            give(count)
            return false
        }
        return true
    }

    /// Gives bytes back.
    func give(_ count: Int) {
        held.subtract(count, ordering: .relaxed)
    }
}
