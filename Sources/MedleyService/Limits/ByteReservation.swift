import Synchronization

/// Bytes that are taken out of a budget as they are needed, and given back when nobody has this any more.
final class ByteReservation: Sendable {
    private let budget: ByteBudget
    private let held = Mutex(0)
    /// Bytes are taken in pieces of so many, so that the budget is seldom asked.
    private static let step = 1 << 20

    init(of budget: ByteBudget) { self.budget = budget }

    deinit { budget.release(held.withLock { $0 }) }

    /// The bytes that are held.
    var byteCount: Int { held.withLock { $0 } }

    /// Makes sure that `count` bytes are held; `false` if the budget has too few.
    func hold(_ count: Int) -> Bool {
        held.withLock { held in
            guard count > held else { return true }
            let more = (count - held + Self.step - 1) / Self.step * Self.step
            guard budget.reserve(more) else { return false }
            held += more
            return true
        }
    }
}
