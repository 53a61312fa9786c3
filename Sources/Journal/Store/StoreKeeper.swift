import Dispatch
import Synchronization

/// Looks after a store in the background: takes checkpoints, forgets what is older than the history, gives space back, and
/// tries a failing disk again.
///
/// It works in small pieces, each with a sync of its own, and an edit that comes in between waits for one at most.
package final class StoreKeeper: Sendable {
    /// How much history is kept.
    package struct History: Hashable, Sendable {
        /// For how long records and deletions are kept, in seconds.
        package var seconds: Double = 30 * 24 * 60 * 60
        /// How many deletions a collection keeps however old they are.
        package var deletions = 100_000

        /// The defaults.
        package init() {}
    }

    let journal: SQLiteJournal
    let committer: Committer
    let history: History
    let log: @Sendable (String) -> Void
    /// The size from which on the log's file is cut off, in bytes.
    let logByteLimit: Int
    private let now: @Sendable () -> Int64
    private let monotonic: @Sendable () -> Double
    private let queue = DispatchQueue(label: "medley.store-keeper", qos: .utility)
    private let state: Mutex<State>

    private struct State {
        var isStopped = false
        var isScheduled = false
        var clock: SweepClock
        /// When old history is looked for next, by the monotonic clock.
        var nextSweep = -Double.infinity
        /// How many attempts have failed since one did not.
        var failures = 0
        /// Before when no checkpoint is tried again, by the monotonic clock.
        var retryTime = -Double.infinity
    }

    /// How often a failing disk is tried, in seconds.
    private static let probeSeconds = 2
    /// How often old history is looked for, in seconds.
    private static let sweepSeconds: Double = 600
    /// For how long nothing is tried after a failure, in seconds: each time twice as long, up to the longest.
    private static let pauses = (first: 4.0, longest: 600.0)

    /// Creates a keeper of a store that was just opened; `start` sets it to work.
    ///
    /// - Parameters:
    ///   - now: the system's time in milliseconds since 1970; it says what is old.
    ///   - monotonic: a clock that never jumps, in seconds; it tells whether `now` did.
    ///   - log: takes lines for the operator; any thread.
    package init(
        _ journal: SQLiteJournal, committer: Committer, history: History = History(),
        now: @escaping @Sendable () -> Int64 = unixMilliseconds,
        monotonic: @escaping @Sendable () -> Double = continuousSeconds,
        logByteLimit: Int = StoreConnection.logByteLimit, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.journal = journal
        self.committer = committer
        self.history = history
        self.now = now
        self.monotonic = monotonic
        self.logByteLimit = logByteLimit
        self.log = log
        let reading = SweepClock.Reading(wall: now(), monotonic: monotonic())
        state = Mutex(State(clock: SweepClock(newestStamp: journal.newestStamp, reading)))
        journal.whenHealthChanges { error in
            log(error.map { "nothing can be kept: \($0.message)" } ?? "the store can be written again")
        }
    }

    /// Begins to look after the store.
    package func start() {
        journal.whenDue { [weak self] in self?.schedule() }
        queue.async { [weak self] in self?.tick() }
    }

    /// Ends the work; what is under way stops at its next piece. Returns when it has, or after so many seconds, since a disk
    /// may hang. Returns whether the work has ended.
    @discardableResult
    package func stop(within seconds: Double = .infinity) -> Bool {
        state.withLock { $0.isStopped = true }
        guard seconds.isFinite else {
            waitUntilIdle()
            return true
        }
        let idle = DispatchSemaphore(value: 0)
        queue.async { idle.signal() }
        return idle.wait(timeout: .now() + seconds) == .success
    }

    /// Returns once what was scheduled is done.
    func waitUntilIdle() { queue.sync {} }

    /// Does at once, on this thread, all that is due: for tests, and at a start.
    package func workOff() throws(JournalError) {
        try takeCheckpoints()
        if let time = trustedTime() {
            try forgetOldHistory(at: time)
            try takeCheckpoints()
        }
        try clearAway()
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The system's time if nothing speaks against it.
    private func trustedTime() -> Int64? {
        let reading = SweepClock.Reading(wall: now(), monotonic: monotonic())
        switch state.withLock({ $0.clock.judge(reading) }) {
        case .trusted: return reading.wall
        case .ahead(let seconds, let isNew):
            if isNew {
                log(
                    "the system's clock is \(Int(seconds / 3_600)) hours ahead of what was expected: no history is deleted until it has gone on like this for a day"
                )
            }
            return nil
        }
    }

    // MARK: When

    private var mayTry: Bool { state.withLock { !$0.isStopped && monotonic() >= $0.retryTime } }

    private func schedule() {
        guard mayTry else { return }
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        queue.async { [weak self] in
            guard let self else { return }
            state.withLock { $0.isScheduled = false }
            takeDueCheckpoints()
        }
    }

    /// On `queue`, again and again until the end.
    private func tick() {
        if isStopped { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.probeSeconds)) { [weak self] in self?.tick() }
        lookAfter()
    }

    /// Looks once whether there is something to do, and does it.
    func lookAfter() {
        guard (try? journal.checkFiles()) != nil else { return }
        if journal.isFailing {
            // Nobody may send edits as long as the service says that it is not ready, so it has to try by itself.
            guard (try? journal.perform { connection throws in try connection.probe() }) != nil else { return }
        }
        let isSweepDue = state.withLock { state in
            let time = monotonic()
            guard time >= state.nextSweep else { return false }
            state.nextSweep = time + Self.sweepSeconds
            return true
        }
        if isSweepDue {
            attempt("clearing away of old history") { () throws(JournalError) in try workOff() }
        } else if (try? journal.perform { connection in connection.due.isEmpty }) == false {
            takeDueCheckpoints()
        }
        try? journal.truncateLog(over: logByteLimit)
    }

    /// Takes the checkpoints that edits have made due, unless an attempt failed a moment ago.
    func takeDueCheckpoints() {
        guard mayTry else { return }
        attempt("checkpoint") { () throws(JournalError) in
            try takeCheckpoints()
            try clearAway()
        }
    }

    private func attempt(_ what: String, _ work: () throws(JournalError) -> Void) {
        do throws(JournalError) {
            try work()
            state.withLock { $0.failures = 0 }
        } catch {
            let pause = state.withLock { state in
                let pause = min(Self.pauses.longest, Self.pauses.first * Double(1 << min(state.failures, 20)))
                state.failures += 1
                state.retryTime = monotonic() + pause
                return pause
            }
            if !isStopped { log("the \(what) failed and is tried again in \(Int(pause)) seconds: \(error.message)") }
        }
    }
}
