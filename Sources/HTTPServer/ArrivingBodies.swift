import Synchronization

/// How many bytes of large bodies are arriving on all loops of a server, so that many slow senders do not fill the memory.
final class ArrivingBodies: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Counts so many more bytes, unless they are too many.
    func enter(_ bytes: Int) -> Bool {
        guard count.add(bytes, ordering: .relaxed).newValue <= limit else {
            leave(bytes)
            return false
        }
        return true
    }

    /// Counts so many less.
    func leave(_ bytes: Int) {
        if bytes > 0 { count.subtract(bytes, ordering: .relaxed) }
    }
}
