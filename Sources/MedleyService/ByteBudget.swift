import Synchronization

/// Bounds the bytes that many hold at once. Thread-safe.
final class ByteBudget: Sendable {
    private let held = Mutex(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes bytes out of the budget; `false`, and it does not, if there are too few. Who finds nothing taken gets as
    /// many as he asks for, so that nobody is refused for ever.
    func reserve(_ count: Int) -> Bool {
        held.withLock { held in
            guard held == 0 || count <= limit - held else { return false }
            held += count
            return true
        }
    }

    /// Gives bytes back.
    func release(_ count: Int) {
        held.withLock { $0 -= count }
    }
}
