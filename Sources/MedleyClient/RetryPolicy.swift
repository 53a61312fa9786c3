/// When a request that came to nothing is made again.
public struct RetryPolicy: Sendable {
    /// The pauses before each further try, in seconds; a server's `Retry-After` up to `longest` takes their place.
    public var pauses: [Double]
    /// The longest pause that a server can ask for, in seconds.
    public var longest: Double
    /// Waits for so many seconds.
    public var sleep: @Sendable (Double) async -> Void

    /// Creates a policy: four more tries within four seconds.
    public init(
        pauses: [Double] = [0.25, 0.5, 1, 2], longest: Double = 30,
        sleep: @escaping @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
    ) {
        self.pauses = pauses
        self.longest = longest
        self.sleep = sleep
    }
}
