import Foundation
import MedleyCore
import SQLite

/// Copies of a store: taken while it is served, and brought back.
package enum StoreBackup {
    /// Copies a store, served or not, to a new file that only its owner may read: the state at one moment, without free
    /// space. O(bytes).
    ///
    /// - Throws: `JournalError` if the file exists, or the store cannot be read, or the copy not be written; then there is
    ///   no file.
    package static func back(up directory: String, to file: String) throws(JournalError) {
        guard StoreDirectory.holdsStore(directory) else { throw JournalError("there is no store in \(directory)") }
        try requireAbsent(file)
        let path = StoreDirectory.databasePath(in: directory)
        let partial = file + ".partial"
        remove(partial)
        do {
            try WriteAheadLog.requireSound(of: path)
            try copy(try StoreSchema.openToRead(path), to: partial)
            try finish(partial, as: file)
        } catch {
            remove(partial)
            throw JournalError(error, path: path)
        }
    }

    /// Makes a store out of a backup, or of another store's folder, in a folder that has none. Every collection gets a new
    /// lineage, so that clients which saw what came after the backup are told to start over. A backup of an older version
    /// is taken to this one; it is itself not changed. O(bytes).
    ///
    /// - Parameter file: the backup, or a store's folder, served or not.
    /// - Returns: how many collections there are.
    /// - Throws: `JournalError` if the folder has a store, or the backup is no sound one; then there is no store.
    package static func restore(
        _ file: String, to directory: String, makeLineage: () -> String,
        now: @escaping @Sendable () -> Int64 = unixMilliseconds
    ) throws(JournalError) -> Int {
        try restore(file, to: directory, makeLineage: makeLineage, now: now, vfs: nil, steps: StoreSchema.steps)
    }

    /// `restore` through a VFS, to the version that steps lead to.
    static func restore(
        _ file: String, to directory: String, makeLineage: () -> String, now: @escaping @Sendable () -> Int64,
        vfs: String?, steps: [String]
    ) throws(JournalError) -> Int {
        let source = try StoreDirectory.database(at: file)
        let folder = try StoreDirectory(directory)
        // What holds the folder must live as long as it is written.
        defer { folder.release() }
        let path = folder.databasePath
        try requireAbsent(path)
        // A log without its database would be taken for the new one's.
        removeLog(of: path)
        let partial = path + ".partial"
        remove(partial)
        do {
            try copySound(source, to: partial, vfs: vfs, steps: steps)
        } catch {
            remove(partial)
            throw JournalError(error, path: source)
        }
        do {
            // The step between versions first: what is checked is what will be served.
            try settle(try StoreConnection.open(partial, access: .readWrite, vfs: vfs, steps: steps), path: partial)
            try requireSound(partial, as: file, vfs: vfs, steps: steps)
            try renew(partial, makeLineage: makeLineage, now: now, vfs: vfs, steps: steps)
            let count = try requireSound(partial, as: "what was written to \(directory)", vfs: vfs, steps: steps)
            // Left by the reading, and empty.
            removeLog(of: partial)
            try finish(partial, as: path)
            return count
        } catch {
            remove(partial)
            throw JournalError(error, path: path)
        }
    }

    // MARK: Steps

    /// Copies what a database holds at one moment to a file that only its owner may read.
    private static func copy(_ database: Database, to partial: String) throws {
        try StoreDirectory.makePrivateFile(partial)
        let copy = try database.prepare("VACUUM INTO ?")
        // SQLite would take what begins with `file:` for a URI.
        try copy.bind(1, partial.hasPrefix("file:") ? "./" + partial : partial)
        try copy.run()
    }

    /// Copies a database, its log included, whose file SQLite finds in order.
    private static func copySound(_ source: String, to partial: String, vfs: String?, steps: [String]) throws {
        let database = try StoreSchema.openToRead(source, vfs: vfs, takesOlder: true, steps: steps)
        // A copy would have new indexes, and so hide what is wrong with the old ones.
        if let damage = try StoreCheck.fileDamages(database).first {
            throw JournalError("\(source) is damaged: \(damage)")
        }
        try copy(database, to: partial)
    }

    @discardableResult
    private static func requireSound(
        _ path: String, as name: String, vfs: String?, steps: [String]
    ) throws(JournalError) -> Int {
        let report = try StoreCheck.run(path, vfs: vfs, steps: steps)
        if let damage = report.damages.first { throw JournalError("\(name) is damaged: \(damage)") }
        return report.collections
    }

    private static func renew(
        _ path: String, makeLineage: () -> String, now: @escaping @Sendable () -> Int64, vfs: String?, steps: [String]
    ) throws {
        let database = try StoreConnection.open(path, access: .readWrite, vfs: vfs, steps: steps)
        let recovery = StoreRecovery(database, path: path, keptDeletions: SQLiteJournal.mostDeletions)
        let (tails, lastSequence) = try recovery.tails()
        let connection = try StoreConnection(database, tails: tails, lastSequence: lastSequence, now: now)
        for collection in tails.keys.sorted() { try connection.renew(collection, lineage: makeLineage()) }
        while try connection.removeGarbage() {}
        try settle(database, path: path)
    }

    /// Closes a database whose file then is all of it.
    ///
    /// Closing moves the log into the file as well, but does not tell when that fails.
    private static func settle(_ database: Database, path: String) throws {
        guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw JournalError("\(path) is in use")
        }
        try database.close()
        if FileManager.default.fileExists(atPath: path + "-wal") {
            throw JournalError("\(path): its log could not be moved into it")
        }
    }

    private static func requireAbsent(_ path: String) throws(JournalError) {
        if FileManager.default.fileExists(atPath: path) { throw JournalError("\(path) exists already") }
    }

    private static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
        removeLog(of: path)
    }

    private static func removeLog(of path: String) {
        for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// Makes a file durable, then its name.
    private static func finish(_ partial: String, as path: String) throws {
        guard let file = FileHandle(forUpdatingAtPath: partial) else { throw JournalError("cannot open \(partial)") }
        try file.synchronize()
        try file.close()
        try FileManager.default.moveItem(atPath: partial, toPath: path)
        try StoreDirectory.sync(StoreDirectory.parent(of: path))
    }
}
