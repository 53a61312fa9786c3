import Foundation
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
    private let onChange = Mutex<(@Sendable (JournalError?) -> Void)?>(nil)

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
            try requireWhole(directory)
            try StoreDirectory.makePrivateFile(directory.databasePath)
            let database = try StoreConnection.open(directory.databasePath, vfs: vfs)
            let recovery = StoreRecovery(database, path: directory.databasePath, keptDeletions: keptDeletions)
            let (tails, lastSequence) = try recovery.tails()
            let connection = try StoreConnection(database, tails: tails, lastSequence: lastSequence, now: now)
            connection.files = StoreFiles(in: path)
            // How long the store was closed is not known for sure, so it does not count.
            let recovered = RecoveredState(
                snapshots: tails.mapValues(\.snapshot), answers: try recovery.answers(now: connection.lastTime ?? now())
            )
            return (SQLiteJournal(connection, directory), recovered)
        } catch {
            throw JournalError(error, path: directory.databasePath)
        }
    }

    /// Refuses what would be served with less than it held.
    private static func requireWhole(_ directory: StoreDirectory) throws {
        let path = directory.databasePath
        if !StoreDirectory.holdsStore(directory.path), FileManager.default.fileExists(atPath: path + ".partial") {
            throw JournalError(
                "a restore to \(directory.path) was interrupted: take \(path).partial away and restore once more")
        }
        try WriteAheadLog.requireSound(of: path)
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

    /// Sets what is called when the store begins to fail, with the reason, and when it can be written again, with `nil`; on
    /// the thread that found out.
    func whenHealthChanges(_ call: @escaping @Sendable (JournalError?) -> Void) { onChange.withLock { $0 = call } }

    /// Uses the connection; what is thrown becomes a `JournalError`.
    func perform<R: Sendable>(_ body: (StoreConnection) throws -> R) throws(JournalError) -> R {
        let path = directory.databasePath
        let (result, hasChanged) = connection.withLock { connection -> (Result<R, JournalError>, Bool) in
            let result: Result<R, JournalError>
            do { result = .success(try body(connection)) } catch { result = .failure(JournalError(error, path: path)) }
            let wasFailing = failing.exchange(connection.isFailing, ordering: .acquiringAndReleasing)
            return (result, wasFailing != connection.isFailing)
        }
        if hasChanged { onChange.withLock { $0 }?(result.error) }
        return try result.get()
    }

    /// The time of the newest record or answer in milliseconds since 1970, `nil` if there is none.
    var newestStamp: Int64? { connection.withLock { $0.lastTime } }

    /// Finds out whether the files are still those that were opened; if not, edits are refused from now on.
    func checkFiles() throws(JournalError) { try perform { connection throws in try connection.checkFiles() } }

    /// Cuts the write-ahead log off if its file has more than so many bytes and no reader holds it; what is in it goes into
    /// the database first.
    func truncateLog(over limit: Int) throws(JournalError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.databasePath + "-wal")
        guard let size = (attributes?[.size] as? NSNumber)?.intValue, size > limit else { return }
        try perform { connection throws in try connection.truncateLog() }
    }

    /// Moves the log into the database, closes it, and leaves the folder. Nothing can be kept afterwards.
    package func close() throws(JournalError) {
        defer { directory.release() }
        try perform { connection throws in try connection.database.close() }
    }
}

extension Result {
    /// What was thrown, if something was.
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
