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
        return (tails, try lastSequence())
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
        let statement = try database.prepare(
            """
            SELECT sequence, lineage, number, time, action, changes, checksum FROM records
            WHERE collection = ? AND sequence > ? ORDER BY sequence
            """)
        try statement.bind(1, row.id)
        try statement.bind(2, tail?.sequence ?? row.sequence - 1)
        while try statement.step() {
            let sequence = statement.integer(0)
            func damage(_ what: String) -> JournalError { Self.damage("record \(sequence) of \(row.id)", what) }
            guard statement.text(1) == row.lineage else { throw damage("is of another lineage") }
            let number = UInt64(bitPattern: statement.integer(2))
            let text = try text(statement, 5, checksum: 6, sequence: sequence, damage)
            let changes: [Change]
            do throws(DecodingProblem) { changes = try ChangeDecoder().changes(text) } catch {
                throw damage("cannot be read: \(error.detail)")
            }
            let snapshot: Snapshot
            do {
                switch (StoreConnection.Action(rawValue: statement.text(4)), tail) {
                case (.create, nil): snapshot = try Snapshot(lineage: row.lineage, creating: changes)
                case (.edit, let tail?): snapshot = try tail.snapshot.replaying(changes)
                default: throw damage("does not follow from what is there")
                }
            } catch let error as ChangeError { throw damage("does not apply: \(error)") }
            guard snapshot.revision.number == number else {
                throw damage("has number \(number) where \(snapshot.revision.number) follows")
            }
            var next =
                tail ?? CollectionTail(lineage: row.lineage, snapshot: snapshot, sequence: sequence)
            next.snapshot = snapshot.keepingDeletions(atMost: keptDeletions)
            next.count(sequence: sequence, time: statement.integer(3), byteCount: text.count)
            tail = next
        }
        guard let tail else { throw Self.damage("collection \(row.id)", "has neither a checkpoint nor records") }
        return tail
    }

    /// The text of a row: in its column, or in parts.
    func text(
        _ statement: Statement, _ column: Int32, checksum: Int32, sequence: Int64,
        _ damage: (String) -> JournalError
    ) throws -> [UInt8] {
        let text = statement.isNull(column) ? try longText(sequence) : statement.bytes(column)
        guard StoredText.checksum(text) == statement.integer(checksum) else {
            throw damage("is not what was written: the checksum differs")
        }
        return text
    }

    private func longText(_ sequence: Int64) throws(SQLiteError) -> [UInt8] {
        let statement = try database.prepare("SELECT content FROM long_texts WHERE sequence = ? ORDER BY part")
        try statement.bind(1, sequence)
        var text: [UInt8] = []
        while try statement.step() { text += statement.bytes(0) }
        return text
    }

    /// What is damaged and how.
    static func damage(_ place: String, _ what: String) -> JournalError {
        JournalError("the store is damaged: \(place) \(what)")
    }

    // MARK: Answers

    /// The answers that are young enough to be kept, oldest first.
    func answers(now: Int64) throws -> [KeptAnswer] {
        let statement = try database.prepare(
            """
            SELECT sequence, collection, caller, key, fingerprint, time, status, headers, body, checksum
            FROM answers ORDER BY sequence DESC
            """)
        var answers: [KeptAnswer] = []
        var byteCount = 0
        while byteCount < AnswerTable.byteLimit, try statement.step() {
            let age = max(0, Double(now - statement.integer(5)) / 1000)
            if age > AnswerTable.lifetime { continue }
            let (sequence, key) = (statement.integer(0), statement.text(3))
            let body = try text(statement, 8, checksum: 9, sequence: sequence) {
                Self.damage("answer \(sequence)", $0)
            }
            byteCount += body.count
            answers.append(
                KeptAnswer(
                    collection: statement.text(1),
                    key: IdempotencyKey(
                        caller: statement.text(2), value: key,
                        fingerprint: UInt64(bitPattern: statement.integer(4))),
                    answer: Answer(
                        status: Int(statement.integer(6)), headers: Self.headers(statement.text(7)), body: body),
                    age: age))
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
