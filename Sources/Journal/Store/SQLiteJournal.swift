import Foundation
package import MedleyCore
import MedleyJSON
import SQLite
import Synchronization

/// A journal in a SQLite database: what it has kept survives a crash of the process and of the machine.
///
/// Edits are records; now and then a collection's whole snapshot becomes a checkpoint, so that a recovery reads one and
/// replays the records behind it. `docs/journal.md` describes the tables. Any thread; callers take turns.
package final class SQLiteJournal: Journal {
    private let connection: Mutex<StoreConnection>
    private let directory: StoreDirectory
    private let failing = Atomic(false)
    private let onDue = Mutex<(@Sendable () -> Void)?>(nil)

    /// The most deletions that a collection keeps, whatever the history: about 100 bytes of memory each.
    package static let mostDeletions = 1_000_000

    /// Opens the store in a folder, makes it if there is none, and recovers what it holds. O(n) for n items.
    ///
    /// - Parameters:
    ///   - keptDeletions: the most deletions that a collection keeps.
    ///   - vfs: the name of a registered SQLite VFS; `nil` for the system's.
    ///   - now: the system's time in milliseconds since 1970; it ages records and answers.
    /// - Returns: the journal, and what was in the store.
    /// - Throws: `JournalError` if another process has the folder, the store is damaged, or it is from a newer version.
    package static func open(
        _ path: String, keptDeletions: Int = mostDeletions, vfs: String? = nil,
        now: @escaping @Sendable () -> Int64 = unixMilliseconds
    ) throws(JournalError) -> (journal: SQLiteJournal, recovered: RecoveredState) {
        let directory = try StoreDirectory(path)
        do {
            let database = try StoreConnection.open(directory.databasePath, vfs: vfs)
            let recovery = StoreRecovery(database, path: directory.databasePath, keptDeletions: keptDeletions)
            let (tails, lastSequence) = try recovery.tails()
            let recovered = RecoveredState(
                snapshots: tails.mapValues(\.snapshot), answers: try recovery.answers(now: now()))
            let connection = try StoreConnection(database, tails: tails, lastSequence: lastSequence, now: now)
            return (SQLiteJournal(connection, directory), recovered)
        } catch {
            throw JournalError(error, path: directory.databasePath)
        }
    }

    private init(_ connection: sending StoreConnection, _ directory: StoreDirectory) {
        self.connection = Mutex(connection)
        self.directory = directory
    }

    /// Whether the last attempt to write failed.
    package var isFailing: Bool { failing.load(ordering: .acquiring) }

    /// Keeps a batch with one sync.
    package func append(_ records: [JournalRecord]) throws(JournalError) {
        let isDue = try perform { connection throws in
            try connection.append(records)
            return !connection.due.isEmpty
        }
        if isDue { onDue.withLock { $0 }?() }
    }

    /// Sets what is called, on the committer's thread, when a checkpoint is due.
    func whenDue(_ call: @escaping @Sendable () -> Void) { onDue.withLock { $0 = call } }

    /// Uses the connection; what is thrown becomes a `JournalError`.
    func perform<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(JournalError) -> R {
        let path = directory.databasePath
        let result = connection.withLock { connection -> Result<R, JournalError> in
            let result: Result<R, JournalError>
            do { result = .success(try body(connection)) } catch { result = .failure(JournalError(error, path: path)) }
            failing.store(connection.isFailing, ordering: .releasing)
            return result
        }
        return try result.get()
    }

    /// Moves the log into the database, closes it, and leaves the folder. Nothing can be kept afterwards.
    package func close() throws(JournalError) {
        defer { directory.release() }
        try perform { connection throws in try connection.database.close() }
    }
}

/// What a store held when it was opened.
package struct RecoveredState: Sendable {
    /// The collections.
    package let snapshots: [String: Snapshot]
    /// The answers that are kept under idempotency keys, oldest first.
    package let answers: [KeptAnswer]
}

/// An answer that a store has kept under an idempotency key.
package struct KeptAnswer: Sendable {
    /// The collection that the request was about.
    package let collection: String
    /// The key.
    package let key: IdempotencyKey
    /// What the client was told.
    package let answer: Answer
    /// How long ago, in seconds.
    package let age: Double
}

extension JournalError {
    /// What was thrown while a store was used, with the place.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as SQLiteError where error.isCorrupt:
            self.init("\(path) is damaged: \(error); medley check tells more")
        case let error as SQLiteError: self.init("\(path): \(error)")
        default: self.init("\(path): \(error)")
        }
    }
}

/// The system's time in milliseconds since 1970.
@Sendable package func unixMilliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
