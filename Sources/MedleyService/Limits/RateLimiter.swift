import HTTPCore
import Synchronization

/// How many requests each client makes: a bucket of tokens for each, refilled as time goes by, of which each request takes
/// one. Thread-safe; O(1) for a request on average: the one that begins a span forgets the buckets of an earlier one, of
/// which each was made by a request.
///
/// A bucket that nobody has touched for as long as it takes to fill is full and need not be remembered. So the buckets of
/// two such spans are kept, and those of the older one go all together.
final class RateLimiter: Sendable {
    /// Whose bucket it is.
    enum Client: Hashable, Sendable {
        /// Whoever shows the token with this id.
        case token(String)
        /// Those without a token in a client network (`NetworkAddress.clientNetwork`).
        case network(NetworkAddress)
        /// All networks for which there was no room.
        case others
    }

    private struct Bucket {
        var level: Double
        var time: Double
    }

    private struct State {
        var recent: [Client: Bucket] = [:]
        var older: [Client: Bucket] = [:]
        /// The networks in `recent` that were not in `older`.
        var newcomers = 0
        /// When `recent` began.
        var start = -Double.infinity
    }

    /// The most networks that have buckets of their own in one span. Beyond it strangers share one: they come from more
    /// addresses than honest clients do, and those with tokens are not among them. Who had a bucket in the span before is
    /// no stranger and keeps its place, however many come before it in this one.
    private let mostNetworks: Int
    private let rate: Double
    private let burst: Double
    private let state = Mutex(State())

    /// Creates a limiter; `nil` if the rate is 0, which is no limit.
    init?(perSecond rate: Int, burst: Int, mostNetworks: Int = 1 << 16) {
        guard rate > 0 else { return nil }
        self.rate = Double(rate)
        self.burst = Double(max(burst, 1))
        self.mostNetworks = mostNetworks
    }

    /// Takes a token out of a client's bucket; if there is none, the seconds until there is, rounded up.
    func take(_ client: Client, now: Double) -> Int? {
        state.withLock { state in
            turn(&state, now)
            let client = place(of: client, &state)
            var bucket = level(of: client, state, now)
            defer { state.recent[client] = bucket }
            guard bucket.level >= 1 else { return max(1, Int(((1 - bucket.level) / rate).rounded(.up))) }
            bucket.level -= 1
            return nil
        }
    }

    /// The number of buckets that are remembered.
    var count: Int { state.withLock { $0.recent.count + $0.older.count } }

    private func turn(_ state: inout State, _ now: Double) {
        let span = burst / rate
        guard now >= state.start + span else { return }
        // Of what is older than two spans nothing is needed.
        state.older = now >= state.start + 2 * span ? [:] : state.recent
        state.recent = [:]
        state.newcomers = 0
        state.start = now
    }

    private func place(of client: Client, _ state: inout State) -> Client {
        guard case .network = client, state.recent[client] == nil, state.older[client] == nil else { return client }
        // A place for each of the older ones is left free, so that `recent` never has more networks than it may.
        guard state.older.count + state.newcomers < mostNetworks else { return .others }
        state.newcomers += 1
        return client
    }

    private func level(of client: Client, _ state: State, _ now: Double) -> Bucket {
        guard let bucket = state.recent[client] ?? state.older[client] else { return Bucket(level: burst, time: now) }
        // Loops read the clock one after the other, and ask in another order.
        let passed = max(0, now - bucket.time)
        return Bucket(level: min(burst, bucket.level + passed * rate), time: max(now, bucket.time))
    }
}
