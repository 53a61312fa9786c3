import MedleyCore
import MedleyJSON
import SQLite

/// Reads a whole store, served or not, and tells what is damaged and where; changes nothing.
package struct StoreCheck {
    /// What was found.
    package struct Report: Sendable {
        /// What is damaged, one place each; none in a sound store.
        package var damages: [String] = []
        /// The number of living collections that can be recovered.
        package var collections = 0
        /// Their items.
        package var items = 0
        /// The number of records.
        package var records = 0
        /// The number of answers under idempotency keys.
        package var answers = 0
    }

    private let database: Database
    private let path: String
    private let steps: [String]
    private var report = Report()

    /// Checks a store.
    ///
    /// - Parameter path: its folder, or a database file such as a backup.
    /// - Throws: `JournalError` if there is no store or it cannot be read at all.
    package static func run(_ path: String) throws(JournalError) -> Report {
        try run(path, vfs: nil, steps: StoreSchema.steps)
    }

    /// `run` through a VFS, of a store of the version that steps lead to.
    static func run(_ path: String, vfs: String?, steps: [String]) throws(JournalError) -> Report {
        let file = try StoreDirectory.database(at: path)
        do {
            let database = try StoreSchema.openToRead(file, vfs: vfs, steps: steps)
            var check = StoreCheck(database: database, path: file, steps: steps)
            do { try WriteAheadLog.requireSound(of: file) } catch let error as JournalError {
                check.report.damages.append(error.message)
            }
            // One transaction: a store that is being served does not change underneath.
            return try check.database.transaction("BEGIN") { () throws in try check.run() }
        } catch {
            throw JournalError(error, path: file)
        }
    }

    private mutating func run() throws -> Report {
        report.damages += try Self.fileDamages(database)
        try checkTables()
        // What SQLite cannot follow would only repeat itself below.
        if !report.damages.isEmpty { return report }
        let recovery = StoreRecovery(database, path: path, keptDeletions: SQLiteJournal.mostDeletions)
        for row in try recovery.collections() {
            do {
                let snapshot = try recovery.tail(of: row).snapshot
                try snapshot.checkInvariants()
                report.collections += 1
                report.items += snapshot.itemCount
            } catch let error as JournalError {
                report.damages.append(error.message)
            } catch {
                report.damages.append("collection \(row.id): \(error)")
            }
        }
        do { try recovery.checkCounts() } catch let error as JournalError { report.damages.append(error.message) }
        try checkRecords(recovery)
        try checkAnswers(recovery)
        try checkReferences()
        return report
    }

    /// What SQLite itself finds damaged.
    static func fileDamages(_ database: Database) throws(SQLiteError) -> [String] {
        let statement = try database.prepare("PRAGMA integrity_check")
        var damages: [String] = []
        while try statement.step() {
            let line = statement.text(0)
            if line != "ok" { damages.append("the file: \(line)") }
        }
        return damages
    }

    /// Tables and indexes that are not as they were made: SQLite takes one for sound that it may refuse to write.
    private mutating func checkTables() throws(SQLiteError) {
        let made = try Database(path: ":memory:", access: .create)
        for step in steps { try made.execute(step) }
        let expected = try made.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        let find = try database.prepare("SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ? AND sql = ?")
        while try expected.step() {
            for column in Int32(0)..<3 { try find.bind(column + 1, expected.text(column)) }
            if try !find.step() {
                report.damages.append("the \(expected.text(0)) \(expected.text(1)) is not as it was made")
            }
            find.reset()
        }
    }

    /// The records that a recovery does not read too.
    private mutating func checkRecords(_ recovery: StoreRecovery) throws {
        let statement = try database.prepare(
            "SELECT \(StoredRecord.columns) FROM records ORDER BY collection, sequence")
        var last: StoredRecord?
        while try statement.step() {
            report.records += 1
            do {
                let record = try StoredRecord(statement, recovery)
                _ = try StoreRecovery.changes(of: record)
                if let last, last.collection == record.collection, last.lineage == record.lineage {
                    // A deletion has the number of the revision that it ends.
                    let expected: Int64 = record.action == StoreConnection.Action.delete.rawValue ? 0 : 1
                    let step = record.number.subtractingReportingOverflow(last.number)
                    guard !step.overflow, step.partialValue == expected else {
                        throw record.damage("has number \(record.number) behind \(last.number)")
                    }
                }
                last = record
            } catch let error as JournalError {
                report.damages.append(error.message)
                last = nil
            }
        }
    }

    private mutating func checkAnswers(_ recovery: StoreRecovery) throws {
        let statement = try database.prepare("SELECT \(StoredAnswer.columns) FROM answers ORDER BY sequence")
        while try statement.step() {
            report.answers += 1
            do { _ = try StoredAnswer(statement, recovery) } catch let error as JournalError {
                report.damages.append(error.message)
            }
        }
    }

    /// Rows that name others which are not there.
    private mutating func checkReferences() throws(SQLiteError) {
        let statement = try database.prepare(
            """
            SELECT 'checkpoint ' || id || ' is of the collection ' || collection || ', which is not there'
                FROM checkpoints WHERE collection NOT IN (SELECT id FROM collections)
            UNION ALL
            SELECT DISTINCT 'the long text ' || sequence || ' belongs to no record or answer' FROM long_texts
                WHERE sequence NOT IN (SELECT sequence FROM records UNION ALL SELECT sequence FROM answers)
            """)
        while try statement.step() { report.damages.append(statement.text(0)) }
    }
}
