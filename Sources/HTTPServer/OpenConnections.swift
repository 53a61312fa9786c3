import HTTPCore
import Synchronization

/// How many connections are open on all loops of a server, in all and for each client network.
final class OpenConnections: Sendable {
    /// Which limit a connection is over.
    enum Refusal: Hashable, Sendable {
        case total, address
    }

    private let count = Atomic<Int>(0)
    private let byNetwork = Mutex<[NetworkAddress: Int]>([:])

    /// Counts one more, unless there are as many as a limit allows; says which. O(1).
    ///
    /// - Parameter network: whom to count it for; `nil` for one who has no limit of its own.
    func enter(limit: Int, network: NetworkAddress?, networkLimit: Int) -> Refusal? {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            count.subtract(1, ordering: .relaxed)
            return .total
        }
        guard let network else { return nil }
        let isTaken = byNetwork.withLock { counts in
            guard counts[network, default: 0] < networkLimit else { return false }
            counts[network, default: 0] += 1
            return true
        }
        guard isTaken else {
            count.subtract(1, ordering: .relaxed)
            return .address
        }
        return nil
    }

    /// Counts one less of what was counted.
    func leave(network: NetworkAddress?) {
        count.subtract(1, ordering: .relaxed)
        guard let network else { return }
        byNetwork.withLock { counts in
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
