private import Dispatch
package import MedleyCore
import Synchronization

/// Carries out edits, one after the other and in the order they came: takes all that wait, keeps them with one sync,
/// publishes them, and only then answers. So nothing is seen before it is durable, and throughput grows with load while
/// a lone edit waits for one sync.
package final class Committer: Sendable {
    /// What the committer publishes to.
    package let library: Library

    private let journal: any Journal
    /// What bounds the memory.
    package let limits: Limits
    private let now: @Sendable () -> Double
    private let onFailure: @Sendable (JournalError) -> Void
    private let queue = DispatchQueue(label: "medley.committer")
    private let inbox = Mutex(Inbox())
    /// Used on `queue` only; the lock, never contended, says so to the compiler.
    private let answers = Mutex(AnswerTable())

    /// What bounds the committer's memory.
    package struct Limits: Sendable {
        /// The most edits that may wait.
        package var waitingEdits = 10_000
        /// The most collections; one that is there stays, and may be edited, whatever their number.
        package var collections = 10_000
        /// The most deletions that a collection keeps for `changes(since:)`.
        package var keptDeletions = 100_000

        /// The defaults.
        package init() {}
    }

    /// Counts since the start, for metrics.
    package struct Statistics: Sendable {
        /// Edits that made a new snapshot or took a collection away.
        package var committedEdits: UInt64 = 0
        /// Batches that were kept with one sync each.
        package var batches: UInt64 = 0
        /// Edits that wait now.
        package var waiting = 0
    }

    private struct Waiting {
        let edit: Edit
        let completion: @Sendable (EditResult) -> Void
    }

    /// What identifies a request that is under way.
    private struct KeyName: Hashable {
        let collection: String
        let caller: String
        let value: String
    }

    private struct Inbox {
        var waiting: [Waiting] = []
        var keysUnderWay = Set<KeyName>()
        var isScheduled = false
        var isClosed = false
        var statistics = Statistics()
    }

    /// Creates a committer.
    ///
    /// - Parameters:
    ///   - answers: what an earlier process kept under idempotency keys, oldest first.
    ///   - now: a clock that never goes back, in seconds; it ages kept answers.
    ///   - onFailure: told why the journal could not keep a batch, for the log; on the committer's thread.
    package init(
        library: Library, journal: any Journal = MemoryJournal(), answers: [KeptAnswer] = [],
        limits: Limits = Limits(), now: @escaping @Sendable () -> Double = monotonicSeconds,
        onFailure: @escaping @Sendable (JournalError) -> Void = { _ in }
    ) {
        self.library = library
        self.journal = journal
        self.limits = limits
        self.now = now
        self.onFailure = onFailure
        let time = now()
        self.answers.withLock { table in
            for kept in answers {
                table.keep(kept.answer, under: kept.key, in: kept.collection, at: time - kept.age)
            }
        }
    }

    /// Hands in an edit. `completion` is called once: at once on this thread if the edit cannot wait, else on the
    /// committer's when it is durable and published, or refused. Any thread; never blocks on a disk.
    package func submit(_ edit: Edit, completion: @escaping @Sendable (EditResult) -> Void) {
        let refusal = inbox.withLock { inbox -> EditResult? in
            if inbox.isClosed { return .shuttingDown }
            if inbox.waiting.count >= limits.waitingEdits { return .overloaded }
            if let key = edit.key, !inbox.keysUnderWay.insert(Self.name(of: key, edit)).inserted { return .keyInUse }
            inbox.waiting.append(Waiting(edit: edit, completion: completion))
            if !inbox.isScheduled {
                inbox.isScheduled = true
                queue.async { self.drain() }
            }
            return nil
        }
        if let refusal { completion(refusal) }
    }

    /// Returns once every edit handed in before is answered. Not on the committer's own thread.
    package func waitUntilIdle() {
        queue.sync { self.drain() }
        // A turn that was asked for before is over too: nothing of the committer's is under way.
        queue.sync {}
    }

    /// Takes no more edits and returns once those that wait are answered, or after so many seconds: what is not answered by
    /// then was not acknowledged either. Returns whether all are.
    @discardableResult
    package func close(within seconds: Double = .infinity) -> Bool {
        inbox.withLock { $0.isClosed = true }
        guard seconds.isFinite else {
            waitUntilIdle()
            return true
        }
        let idle = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            idle.signal()
        }
        return idle.wait(timeout: .now() + seconds) == .success
    }

    /// Drops the oldest deletions of a collection, those up to a revision number, while more than `least` are kept, and
    /// `limit` of them at most; returns the snapshot of the same revision that is published then, `nil` if nothing was
    /// dropped. Blocks until the batch under way is done; not on the committer's own thread.
    package func forgetDeletions(
        in collection: String, through number: UInt64, keeping least: Int, atMost limit: Int = .max
    ) -> Snapshot? {
        queue.sync {
            guard let snapshot = library.snapshot(of: collection) else { return nil }
            let next = snapshot.forgettingDeletions(
                through: number, keeping: max(least, snapshot.keptDeletionCount - limit))
            guard next.keptDeletionCount < snapshot.keptDeletionCount else { return nil }
            library.replace(collection, with: next)
            return next
        }
    }

    /// Counts since the start. Any thread.
    package var statistics: Statistics {
        inbox.withLock { inbox in
            var statistics = inbox.statistics
            statistics.waiting = inbox.waiting.count
            return statistics
        }
    }

    private static func name(of key: IdempotencyKey, _ edit: Edit) -> KeyName {
        KeyName(collection: edit.collection, caller: key.caller, value: key.value)
    }

    /// On `queue`: commits all that waits, as one batch. What has come in meanwhile is for another turn of the queue, so that
    /// what else wants one has it under any load.
    private func drain() {
        let batch = inbox.withLock { inbox -> [Waiting] in
            let batch = inbox.waiting
            inbox.waiting = []
            if batch.isEmpty { inbox.isScheduled = false }
            return batch
        }
        if batch.isEmpty { return }
        let results = commit(batch.map(\.edit))
        inbox.withLock { inbox in
            for waiting in batch {
                if let key = waiting.edit.key { inbox.keysUnderWay.remove(Self.name(of: key, waiting.edit)) }
            }
        }
        for (waiting, result) in zip(batch, results) { waiting.completion(result) }
        let isMore = inbox.withLock { inbox in
            inbox.isScheduled = !inbox.waiting.isEmpty
            return inbox.isScheduled
        }
        if isMore { queue.async { self.drain() } }
    }

    /// Decides on each edit in turn, keeps them together, publishes them.
    private func commit(_ edits: [Edit]) -> [EditResult] {
        var newest: [String: Snapshot?] = [:]
        var records: [JournalRecord] = []
        var changed: UInt64 = 0
        /// How many more collections there are for this batch's edits than are published.
        var created = 0
        /// The edits whose results hold only if the journal keeps the batch.
        var dependent = Set<Int>()
        let results = edits.enumerated().map { index, edit -> EditResult in
            if let key = edit.key {
                switch answers.withLock({ $0.find(key, in: edit.collection) }) {
                case .answer(let answer): return .answered(answer, isReplayed: true)
                case .otherRequest: return .keyReused
                case .unknown: break
                }
            }
            let uncommitted = newest[edit.collection]
            // Even a refusal says something of a state that another edit of this batch has made and nobody may see yet.
            if uncommitted != nil { dependent.insert(index) }
            let previous = uncommitted ?? library.snapshot(of: edit.collection)
            let (made, answer): (Snapshot?, Answer)
            let decision = edit.decide(previous)
            var next = previous
            switch decision {
            case .publish(let snapshot, let said):
                if previous == nil {
                    guard library.count + created < limits.collections else {
                        if created != 0 { dependent.insert(index) }
                        return .tooManyCollections(limit: limits.collections)
                    }
                    created += 1
                }
                (made, answer) = (snapshot, said)
                next = snapshot.keepingDeletions(atMost: limits.keptDeletions)
                newest[edit.collection] = .some(next)
                changed += 1
            case .remove(let said):
                if previous != nil { created -= 1 }
                (made, answer) = (nil, said)
                next = nil
                newest[edit.collection] = .some(nil)
                changed += 1
            case .keep(let said):
                (made, answer) = (previous, said)
            }
            let key = answer.isSuccess ? edit.key : nil
            if case .keep = decision, key == nil { return .answered(answer, isReplayed: false) }
            records.append(
                JournalRecord(
                    collection: edit.collection, previous: previous, made: made, snapshot: next, key: key,
                    answer: answer))
            dependent.insert(index)
            return .answered(answer, isReplayed: false)
        }
        if records.isEmpty { return results }
        do {
            try journal.append(records)
        } catch {
            onFailure(error)
            return results.enumerated().map { index, result in dependent.contains(index) ? .storageFailed : result }
        }
        library.publish(newest)
        let time = now()
        answers.withLock { table in
            for record in records {
                if let key = record.key { table.keep(record.answer, under: key, in: record.collection, at: time) }
            }
        }
        inbox.withLock { inbox in
            inbox.statistics.committedEdits += changed
            inbox.statistics.batches += 1
        }
        return results
    }
}

/// The system's monotonic clock in seconds.
package func monotonicSeconds() -> Double {
    Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}
