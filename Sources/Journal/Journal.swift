package import MedleyCore

/// Where edits are kept before anybody sees them.
///
/// A store appends what was committed together with one sync and returns only once it would survive whatever the store
/// promises to survive; what it throws for was not kept and is not published.
package protocol Journal: Sendable {
    /// Keeps a batch, all of it or none. Called on the committer's thread only.
    func append(_ records: [JournalRecord]) throws(JournalError)
}

/// One edit as a journal keeps it.
package struct JournalRecord: Sendable {
    /// The collection.
    package let collection: String
    /// The snapshot before, `nil` if there was none.
    package let previous: Snapshot?
    /// The snapshot as the edit made it, `nil` if the collection went.
    package let made: Snapshot?
    /// The snapshot that is published: `made`, old deletions dropped.
    package let snapshot: Snapshot?
    /// The key under which the answer is kept, if the client sent one.
    package let key: IdempotencyKey?
    /// What the client is told.
    package let answer: Answer
}

/// A journal that keeps nothing: what `--memory` asks for.
package struct MemoryJournal: Journal {
    /// Creates one.
    package init() {}

    /// Does nothing: memory promises nothing beyond the process.
    package func append(_ records: [JournalRecord]) throws(JournalError) {}
}
