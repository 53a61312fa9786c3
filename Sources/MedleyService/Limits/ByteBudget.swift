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
            // Who needs nothing is in nobody's way, though one who found nothing taken has more than the limit.
            guard held == 0 || count == 0 || count <= limit - held else { return false }
            held += count
            return true
        }
    }

    /// Takes bytes out of the budget until the object goes; `nil` if there are too few.
    func reservation(of count: Int) -> Reservation? {
        reserve(count) ? Reservation(count, of: self) : nil
    }

    /// How many bytes there are to take.
    var room: Int { held.withLock { limit - $0 } }

    /// Gives bytes back.
    func release(_ count: Int) {
        held.withLock { $0 -= count }
    }
}

/// Bytes of a budget; they are given back when the object goes.
final class Reservation: Sendable {
    private let count: Int
    private let budget: ByteBudget

    fileprivate init(_ count: Int, of budget: ByteBudget) {
        self.count = count
        self.budget = budget
    }

    deinit { budget.release(count) }
}
