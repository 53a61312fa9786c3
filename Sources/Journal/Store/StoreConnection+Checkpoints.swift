import MedleyCore
import MedleyJSON
import SQLite

/// A checkpoint that is to be written: a snapshot and the record that led to it.
struct CheckpointJob: Sendable {
    let id: Int64
    let collection: String
    let snapshot: Snapshot
    let sequence: Int64
}

extension StoreConnection {
    /// The next checkpoint that is due, `nil` if none is.
    func beginCheckpoint() throws(SQLiteError) -> CheckpointJob? {
        while let collection = due.popFirst() {
            guard let tail = tails[collection], tail.uncoveredRecords > 0 else { continue }
            return try job(of: collection, tail.snapshot, tail.sequence)
        }
        return nil
    }

    /// Begins a checkpoint of a snapshot, which a record led to.
    func job(
        of collection: String, _ snapshot: Snapshot, _ sequence: Int64
    ) throws(SQLiteError) -> CheckpointJob {
        let newest = try database.integer(
            """
            SELECT max(coalesce((SELECT max(id) FROM checkpoints), 0),
                coalesce((SELECT max(checkpoint) FROM checkpoint_pieces), 0))
            """)
        let id = (newest ?? 0) + 1
        checkpointUnderWay = id
        return CheckpointJob(id: id, collection: collection, snapshot: snapshot, sequence: sequence)
    }

    /// Keeps one piece. Until the checkpoint is finished nobody reads it.
    func write(_ piece: CheckpointPiece, _ number: Int, of job: CheckpointJob) throws(SQLiteError) {
        let statement = statements.piece
        try statement.bind(1, job.id)
        try statement.bind(2, Int64(number))
        try statement.bind(3, piece.kind.rawValue)
        try statement.bind(4, text: piece.text)
        try statement.bind(5, StoredText.checksum(piece.text))
        try statement.run()
    }

    /// Makes a checkpoint whose pieces are all there the one of its collection; what it replaces is garbage from now on.
    ///
    /// Returns whether the collection was still there.
    func finish(_ job: CheckpointJob, pieces: Int, byteCount: Int) throws -> Bool {
        checkpointUnderWay = nil
        guard var tail = tails[job.collection], tail.lineage == job.snapshot.revision.lineage else { return false }
        try database.transaction { () throws in try replaceCheckpoint(job, pieces: pieces, byteCount: byteCount) }
        tail.checkpointBytes = byteCount
        try tail.setUncovered(after: job.sequence, of: job.collection, in: database)
        tails[job.collection] = tail
        if tail.isCheckpointDue { due.insert(job.collection) }
        return true
    }

    /// Gives up a checkpoint under way; it is due again, and its pieces are garbage.
    func abandon(_ job: CheckpointJob) {
        checkpointUnderWay = nil
        due.insert(job.collection)
    }

    /// Makes a checkpoint the one of its collection, in a transaction of the caller's.
    func replaceCheckpoint(_ job: CheckpointJob, pieces: Int, byteCount: Int) throws(SQLiteError) {
        try statements.removeCheckpoint.bind(1, job.collection)
        try statements.removeCheckpoint.run()
        let statement = statements.checkpoint
        try statement.bind(1, job.id)
        try statement.bind(2, job.collection)
        try statement.bind(3, job.snapshot.revision.lineage)
        try statement.bind(4, Int64(bitPattern: job.snapshot.revision.number))
        try statement.bind(5, job.sequence)
        try statement.bind(6, now())
        try statement.bind(7, Int64(pieces))
        try statement.bind(8, Int64(byteCount))
        try statement.run()
    }

    /// Takes some pieces that belong to no checkpoint away; returns whether there were any.
    func removeGarbage() throws -> Bool {
        let find = try database.prepare(
            """
            SELECT checkpoint FROM checkpoint_pieces
            WHERE checkpoint NOT IN (SELECT id FROM checkpoints) AND checkpoint IS NOT ? LIMIT 1
            """)
        try find.bind(1, checkpointUnderWay)
        guard try find.step() else { return false }
        let checkpoint = find.integer(0)
        find.reset()
        // A few at a time: an edit that comes in between waits for no more than these.
        let remove = try database.prepare(
            """
            DELETE FROM checkpoint_pieces WHERE checkpoint = ?1 AND piece IN
                (SELECT piece FROM checkpoint_pieces WHERE checkpoint = ?1 ORDER BY piece LIMIT 8)
            """)
        try remove.bind(1, checkpoint)
        try remove.run()
        return true
    }

    /// Gives some free pages back to the file system; returns whether there are more.
    ///
    /// - Parameter isScarce: whether none is to be kept for what comes next.
    func releaseSpace(isScarce: Bool = false) throws -> Bool {
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        let pages = try database.integer("PRAGMA page_count") ?? 0
        // Unless it is scarce, some room is kept for what comes next.
        guard isScarce ? free > 0 : free > max(1_000, pages / 8) else { return false }
        // For each page that goes SQLite searches the list of all free ones; an edit that comes in between waits for these.
        try database.execute("PRAGMA incremental_vacuum(\(max(8, min(500, 5_000_000 / free))))")
        return try database.integer("PRAGMA freelist_count") ?? 0 < free
    }

    /// Moves the log into the database and cuts it off, if no reader holds it; else it stays, and nobody waits.
    func truncateLog() throws(SQLiteError) {
        try database.execute("PRAGMA busy_timeout = 0")
        defer { try? database.execute("PRAGMA busy_timeout = \(Self.busyMilliseconds)") }
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension CollectionTail {
    /// Counts anew what lies behind a checkpoint.
    mutating func setUncovered(
        after sequence: Int64, of collection: String, in database: Database
    ) throws(SQLiteError) {
        let statement = try database.prepare(
            """
            SELECT sequence, time, coalesce(length(CAST(changes AS BLOB)),
                (SELECT sum(length(content)) FROM long_texts WHERE long_texts.sequence = records.sequence))
            FROM records
            WHERE collection = ? AND sequence > ? ORDER BY sequence
            """)
        try statement.bind(1, collection)
        try statement.bind(2, sequence)
        firstUncovered = nil
        (uncoveredRecords, uncoveredBytes) = (0, 0)
        while try statement.step() {
            count(sequence: statement.integer(0), time: statement.integer(1), byteCount: Int(statement.integer(2)))
        }
    }
}
