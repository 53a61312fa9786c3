import MedleyCore
import MedleyJSON
import SQLite

/// Reads what a store holds: each collection's checkpoint, and the records behind it replayed.
struct StoreRecovery {
    let database: Database
    /// The database's path, for messages.
    let path: String
    /// The most deletions that a collection keeps.
    let keptDeletions: Int
    /// The most memory that answers may take, in bytes.
    var answerBytes = AnswerTable.byteLimit

    init(_ database: Database, path: String, keptDeletions: Int) {
        self.database = database
        self.path = path
        self.keptDeletions = keptDeletions
    }

    /// A living collection, as its row says.
    struct CollectionRow {
        let id: String
        let lineage: String
        /// The sequence number of the record that made it, or of the restore that gave it its lineage.
        let sequence: Int64
    }

    /// All living collections, and the sequence number of the newest record or answer.
    func tails() throws -> (tails: [String: CollectionTail], lastSequence: Int64) {
        var tails: [String: CollectionTail] = [:]
        for row in try collections() { tails[row.id] = try tail(of: row) }
        try checkCounts()
        return (tails, try lastSequence())
    }

    /// Makes sure that what the next sequence and checkpoint are counted on from is what a store can have come to.
    func checkCounts() throws {
        let checkpoint = try database.integer(
            """
            SELECT max(coalesce((SELECT max(id) FROM checkpoints), 0),
                coalesce((SELECT max(checkpoint) FROM checkpoint_pieces), 0))
            """)
        for (name, count) in [("sequence", try lastSequence()), ("checkpoint", checkpoint ?? 0)] {
            if count > Int64.max / 2 { throw Self.damage("the newest \(name)", "cannot have the number \(count)") }
        }
    }

    /// The rows of the living collections.
    func collections() throws(SQLiteError) -> [CollectionRow] {
        let statement = try database.prepare("SELECT id, lineage, sequence FROM collections ORDER BY id")
        var rows: [CollectionRow] = []
        while try statement.step() {
            rows.append(
                CollectionRow(
                    id: statement.text(0), lineage: statement.text(1), sequence: statement.integer(2)))
        }
        return rows
    }

    /// The newest sequence number that was ever used and matters.
    func lastSequence() throws(SQLiteError) -> Int64 {
        try database.integer(
            """
            SELECT max(coalesce((SELECT max(sequence) FROM records), 0),
                coalesce((SELECT max(sequence) FROM answers), 0),
                coalesce((SELECT max(sequence) FROM checkpoints), 0),
                coalesce((SELECT max(sequence) FROM collections), 0))
            """) ?? 0
    }

    // MARK: A collection

    /// A collection as its checkpoint and its records have it.
    func tail(of row: CollectionRow) throws -> CollectionTail {
        var tail = try checkpoint(of: row)
        guard row.sequence > 0 else { throw Self.damage("collection \(row.id)", "has sequence \(row.sequence)") }
        let statement = try database.prepare(
            "SELECT \(StoredRecord.columns) FROM records WHERE collection = ? AND sequence > ? ORDER BY sequence")
        try statement.bind(1, row.id)
        try statement.bind(2, tail?.sequence ?? row.sequence - 1)
        while try statement.step() {
            let record = try StoredRecord(statement, self)
            guard record.lineage == row.lineage else { throw record.damage("is of another lineage") }
            let changes = try Self.changes(of: record)
            let snapshot: Snapshot
            do {
                switch (StoreConnection.Action(rawValue: record.action), tail) {
                case (.create, nil): snapshot = try Snapshot(lineage: row.lineage, creating: changes)
                case (.edit, let tail?): snapshot = try tail.snapshot.replaying(changes)
                default: throw record.damage("does not follow from what is there")
                }
            } catch let error as ChangeError { throw record.damage("does not apply: \(error)") }
            guard Int64(exactly: snapshot.revision.number) == record.number else {
                throw record.damage("has number \(record.number) where \(snapshot.revision.number) follows")
            }
            var next =
                tail ?? CollectionTail(lineage: row.lineage, snapshot: snapshot, sequence: record.sequence)
            next.snapshot = snapshot.keepingDeletions(atMost: keptDeletions)
            next.count(sequence: record.sequence, time: record.time, byteCount: record.changes.count)
            tail = next
        }
        guard let tail else { throw Self.damage("collection \(row.id)", "has neither a checkpoint nor records") }
        try checkNewestRecord(of: row, tail)
        return tail
    }

    /// The changes that a record lists; none for a deletion.
    static func changes(of record: StoredRecord) throws(JournalError) -> [Change] {
        if record.changes.isEmpty, record.action == StoreConnection.Action.delete.rawValue { return [] }
        do throws(DecodingProblem) { return try ChangeDecoder.journal.changes(record.changes) } catch {
            throw record.damage("cannot be read: \(error.detail)")
        }
    }

    /// Makes sure that no record was left out because the checkpoint's row claims to contain it.
    private func checkNewestRecord(of row: CollectionRow, _ tail: CollectionTail) throws {
        let statement = try database.prepare(
            "SELECT sequence, lineage, number FROM records WHERE collection = ? ORDER BY sequence DESC LIMIT 1")
        try statement.bind(1, row.id)
        guard try statement.step(), statement.text(1) == row.lineage else { return }
        let number = statement.integer(2)
        guard Int64(exactly: tail.snapshot.revision.number) == number else {
            throw Self.damage(
                "record \(statement.integer(0)) of \(row.id)",
                "has number \(number), but the collection comes to \(tail.snapshot.revision.number)")
        }
    }

    /// The text of a row: in its column, or in parts.
    func text(_ statement: Statement, _ column: Int32, sequence: Int64) throws(SQLiteError) -> [UInt8] {
        statement.isNull(column) ? try longText(sequence) : statement.bytes(column)
    }

    private func longText(_ sequence: Int64) throws(SQLiteError) -> [UInt8] {
        let statement = try database.prepare("SELECT content FROM long_texts WHERE sequence = ? ORDER BY part")
        try statement.bind(1, sequence)
        var text: [UInt8] = []
        while try statement.step() { text += statement.bytes(0) }
        return text
    }

    /// What is wrong with a row that does not have its checksum.
    static let checksumDiffers = "is not what was written: the checksum differs"

    /// What is damaged and how.
    static func damage(_ place: String, _ what: String) -> JournalError {
        JournalError("the store is damaged: \(place) \(what)")
    }

    // MARK: Answers

    /// The answers that the store holds, oldest first, as many of the newest as memory is given to them.
    ///
    /// Which are too old is the keeper's to say: it knows whether the system's clock is to be trusted. So an answer comes
    /// back as half a day old at most, and clients have another half at least.
    func answers(now: Int64) throws -> [KeptAnswer] {
        let statement = try database.prepare(
            "SELECT \(StoredAnswer.columns) FROM answers ORDER BY sequence DESC")
        var answers: [KeptAnswer] = []
        var byteCount = 0
        while try statement.step() {
            let row = try StoredAnswer(statement, self)
            let age = min(max(0, Double(now) - Double(row.time)) / 1000, AnswerTable.lifetime / 2)
            let key = IdempotencyKey(
                caller: row.caller, value: row.key, fingerprint: UInt64(bitPattern: row.fingerprint))
            let answer = Answer(status: Int(row.status), headers: Self.headers(row.headers), body: row.body)
            byteCount += AnswerTable.byteCount(of: answer, under: key, in: row.collection)
            // The newest comes back however large it is, as it would have stayed.
            if byteCount > answerBytes, !answers.isEmpty { break }
            answers.append(KeptAnswer(collection: row.collection, key: key, answer: answer, age: age))
        }
        return answers.reversed()
    }

    private static func headers(_ text: String) -> [Answer.Header] {
        text.split(separator: "\n").map { line in
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            return Answer.Header(String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }
}
