import Foundation
import MedleyCore
import MedleyJSON
import SQLite

/// Copies of a store: taken while it is served, and brought back.
package enum StoreBackup {
    /// Copies a store, served or not, to a new file: the state at one moment, without free space. O(bytes).
    ///
    /// - Throws: `JournalError` if the file exists, or the store cannot be read, or the copy not be written; then there is
    ///   no file.
    package static func back(up directory: String, to file: String) throws(JournalError) {
        guard StoreDirectory.holdsStore(directory) else { throw JournalError("there is no store in \(directory)") }
        try requireAbsent(file)
        let path = StoreDirectory.databasePath(in: directory)
        let partial = file + ".partial"
        try? FileManager.default.removeItem(atPath: partial)
        do {
            let database = try StoreSchema.openToRead(path)
            let copy = try database.prepare("VACUUM INTO ?")
            try copy.bind(1, partial)
            try copy.run()
            try finish(partial, as: file)
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw JournalError(error, path: path)
        }
    }

    /// Makes a store out of a backup, in a folder that has none. Every collection gets a new lineage, so that clients which
    /// saw what came after the backup are told to start over.
    ///
    /// - Returns: how many collections there are.
    /// - Throws: `JournalError` if the folder has a store, or the backup is no sound one; then there is no store.
    package static func restore(
        _ file: String, to directory: String, makeLineage: () -> String,
        now: @escaping @Sendable () -> Int64 = unixMilliseconds
    ) throws(JournalError) -> Int {
        let report = try StoreCheck.run(file)
        if let damage = report.damages.first { throw JournalError("\(file) is damaged: \(damage)") }
        let folder = try StoreDirectory(directory)
        let path = folder.databasePath
        try requireAbsent(path)
        // A log without its database would be taken for the new one's.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let partial = path + ".partial"
        do {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: partial + suffix) }
            try FileManager.default.copyItem(atPath: file, toPath: partial)
            try renew(partial, makeLineage: makeLineage, now: now)
            try finish(partial, as: path)
        } catch {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: partial + suffix) }
            throw JournalError(error, path: path)
        }
        return report.collections
    }

    private static func renew(
        _ path: String, makeLineage: () -> String, now: @escaping @Sendable () -> Int64
    ) throws {
        let database = try StoreConnection.open(path, vfs: nil)
        let recovery = StoreRecovery(database, path: path, keptDeletions: SQLiteJournal.mostDeletions)
        let (tails, lastSequence) = try recovery.tails()
        let connection = try StoreConnection(database, tails: tails, lastSequence: lastSequence, now: now)
        for collection in tails.keys.sorted() { try connection.renew(collection, lineage: makeLineage()) }
        while try connection.removeGarbage() {}
        try database.close()
    }

    private static func requireAbsent(_ path: String) throws(JournalError) {
        if FileManager.default.fileExists(atPath: path) { throw JournalError("\(path) exists already") }
    }

    /// Makes a file durable, then its name.
    private static func finish(_ partial: String, as path: String) throws {
        guard let file = FileHandle(forUpdatingAtPath: partial) else { throw JournalError("cannot open \(partial)") }
        try file.synchronize()
        try file.close()
        try FileManager.default.moveItem(atPath: partial, toPath: path)
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try StoreDirectory.sync(parent)
    }
}

extension StoreConnection {
    /// Gives a collection another lineage, of which no earlier revision is known, in a checkpoint of its own.
    fileprivate func renew(_ collection: String, lineage: String) throws {
        guard let tail = tails[collection] else { return }
        let snapshot = tail.snapshot.continuing(in: lineage)
        let job = try job(of: collection, snapshot, lastSequence)
        try database.transaction { () throws in
            var encoder = CheckpointEncoder(snapshot)
            var (pieces, byteCount) = (0, 0)
            while let piece = encoder.next() {
                try write(piece, pieces, of: job)
                pieces += 1
                byteCount += piece.text.count
            }
            let rename = try database.prepare("UPDATE collections SET lineage = ?, sequence = ? WHERE id = ?")
            try rename.bind(1, lineage)
            try rename.bind(2, lastSequence)
            try rename.bind(3, collection)
            try rename.run()
            try replaceCheckpoint(job, pieces: pieces, byteCount: byteCount)
        }
        checkpointUnderWay = nil
    }
}
