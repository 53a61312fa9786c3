/// When a request that came to nothing is made again: after pauses that grow twofold and are drawn by chance, from zero
/// on ("full jitter"), so that clients which lost a server together do not come back together.
public struct RetryPolicy: Sendable {
    /// How often a request is made in all, at least 1; following a collection goes on for ever.
    public var tries: Int
    /// The longest that the first pause can be, in seconds.
    public var first: Double
    /// The longest that a later one can be, in seconds. A request is given up if a server's `Retry-After` asks for more;
    /// following waits as long as it asks for.
    public var longest: Double
    /// A number from zero to another, by chance.
    public var random: @Sendable (Double) -> Double
    /// Waits for so many seconds, or less if the task is cancelled.
    public var sleep: @Sendable (Double) async -> Void
    /// A clock that only goes forward.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Creates a policy: at most seven tries within sixteen seconds.
    public init(
        tries: Int = 7, first: Double = 0.25, longest: Double = 30,
        random: @escaping @Sendable (Double) -> Double = { Double.random(in: 0...$0) },
        sleep: @escaping @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.tries = tries
        self.first = first
        self.longest = longest
        self.random = random
        self.sleep = sleep
        self.now = now
    }

    /// The pause after so many failures in a row, in seconds: never less than the server asked for.
    func pause(after failures: Int, asked: Double?) -> Double {
        let bound = min(longest, first * Double(UInt64(1) << UInt64(min(max(failures - 1, 0), 32))))
        return (asked ?? 0) + random(bound)
    }
}
