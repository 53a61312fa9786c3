/// The loop of a connection as a handler sees it: where the connection's requests are handled and its callbacks run.
///
/// Whoever holds many requests or streams groups them by `ObjectIdentifier(loop)` and wakes each group with one job.
package protocol LoopExecutor: AnyObject, Sendable {
    /// Runs a job on the loop's thread, after those that were given before; any thread. Says whether it will run: a loop
    /// that has ended takes no jobs.
    @discardableResult
    func execute(_ job: @escaping @Sendable () -> Void) -> Bool

    /// Whether the caller is on the loop's thread; any thread.
    var isCurrent: Bool { get }

    /// The server's monotonic clock in nanoseconds, which ticks are told by; any thread.
    var now: UInt64 { get }
}
