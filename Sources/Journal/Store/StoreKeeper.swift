import Dispatch
import MedleyJSON
import Synchronization

/// Looks after a store in the background: takes checkpoints, forgets what is older than the history, gives space back, and
/// tries a failing disk again.
///
/// It works in small pieces, and an edit that comes in between waits for one at most.
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

    private let journal: SQLiteJournal
    private let committer: Committer
    private let history: History
    private let now: @Sendable () -> Int64
    private let log: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "medley.store-keeper", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var isScheduled = false
        var secondsSinceHistory = 0
    }

    /// How often a failing disk is tried, in seconds.
    private static let probeSeconds = 2
    /// How often old history is looked for, in seconds.
    private static let historySeconds = 600

    /// Creates a keeper; `start` sets it to work.
    ///
    /// - Parameter log: takes lines for the operator; any thread.
    package init(
        _ journal: SQLiteJournal, committer: Committer, history: History = History(),
        now: @escaping @Sendable () -> Int64 = unixMilliseconds, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.journal = journal
        self.committer = committer
        self.history = history
        self.now = now
        self.log = log
    }

    /// Begins to look after the store.
    package func start() {
        journal.whenDue { [weak self] in self?.schedule() }
        queue.async { [weak self] in self?.tick() }
    }

    /// Ends the work; what is under way stops at its next piece. Returns when it has.
    package func stop() {
        state.withLock { $0.isStopped = true }
        queue.sync {}
    }

    /// Does at once, on this thread, all that is due: for tests, and at a start.
    package func workOff() throws(JournalError) {
        try takeCheckpoints()
        try forgetOldHistory()
        try takeCheckpoints()
        try clearAway()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func schedule() {
        let isFirst = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled && !state.isStopped
        }
        guard isFirst else { return }
        queue.async { [weak self] in
            guard let self else { return }
            state.withLock { $0.isScheduled = false }
            attempt("checkpoint") { () throws(JournalError) in
                try takeCheckpoints()
                try clearAway()
            }
        }
    }

    /// On `queue`, again and again until the end.
    private func tick() {
        if isStopped { return }
        queue.asyncAfter(deadline: .now() + .seconds(Self.probeSeconds)) { [weak self] in self?.tick() }
        if journal.isFailing {
            // Nobody may send edits as long as the service says that it is not ready, so it has to try by itself.
            guard (try? journal.perform { connection throws in try connection.probe() }) != nil else { return }
            log("the store can be written again")
            schedule()
        }
        let isHistoryDue = state.withLock { state in
            defer { state.secondsSinceHistory += Self.probeSeconds }
            guard state.secondsSinceHistory % Self.historySeconds == 0 else { return false }
            return true
        }
        if isHistoryDue { attempt("clearing away of old history") { () throws(JournalError) in try workOff() } }
    }

    private func attempt(_ what: String, _ work: () throws(JournalError) -> Void) {
        do throws(JournalError) { try work() } catch {
            if !isStopped { log("the \(what) failed and is tried again later: \(error.message)") }
        }
    }

    // MARK: The work

    private func takeCheckpoints() throws(JournalError) {
        while !isStopped, let job = try journal.perform({ connection throws in try connection.beginCheckpoint() }) {
            do throws(JournalError) {
                guard try write(job) else {
                    try journal.perform { connection throws in connection.abandon(job) }
                    return
                }
            } catch {
                try journal.perform { connection throws in connection.abandon(job) }
                throw error
            }
        }
    }

    /// Writes a checkpoint; returns whether it was not stopped in between.
    private func write(_ job: CheckpointJob) throws(JournalError) -> Bool {
        var encoder = CheckpointEncoder(job.snapshot)
        var (pieces, byteCount) = (0, 0)
        while let piece = encoder.next() {
            if isStopped { return false }
            let number = pieces
            try journal.perform { connection throws in try connection.write(piece, number, of: job) }
            pieces += 1
            byteCount += piece.text.count
        }
        let (count, bytes) = (pieces, byteCount)
        _ = try journal.perform { connection throws in try connection.finish(job, pieces: count, byteCount: bytes) }
        return true
    }

    private func forgetOldHistory() throws(JournalError) {
        let cutoff = now() - Int64(history.seconds * 1000)
        try journal.perform { connection throws in connection.requireCheckpoints(before: cutoff) }
        try takeCheckpoints()
        try repeatedly { connection throws in try connection.removeRecords(before: cutoff) }
        let dayAgo = now() - Int64(AnswerTable.lifetime * 1000)
        try repeatedly { connection throws in try connection.removeAnswers(before: dayAgo) }
        let least = history.deletions
        for (collection, number) in try journal.perform({ connection throws in
            try connection.expiredNumbers(keeping: least)
        }) {
            if let snapshot = committer.forgetDeletions(in: collection, through: number, keeping: least) {
                try journal.perform { connection throws in connection.replace(collection, with: snapshot) }
            }
        }
    }

    private func clearAway() throws(JournalError) {
        try repeatedly { connection throws in try connection.removeGarbage() }
        try repeatedly { connection throws in try connection.releaseSpace() }
    }

    private func repeatedly(_ step: (StoreConnection) throws -> Bool) throws(JournalError) {
        while !isStopped, try journal.perform(step) {}
    }
}
