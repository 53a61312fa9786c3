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
    private var report = Report()

    /// Checks a store.
    ///
    /// - Parameter path: its folder, or a database file such as a backup.
    /// - Throws: `JournalError` if there is no store or it cannot be read at all.
    package static func run(_ path: String) throws(JournalError) -> Report {
        let file = StoreDirectory.holdsStore(path) ? StoreDirectory.databasePath(in: path) : path
        do {
            var check = StoreCheck(database: try StoreSchema.openToRead(file), path: file)
            // One transaction: a store that is being served does not change underneath.
            return try check.database.transaction("BEGIN") { () throws in try check.run() }
        } catch {
            throw JournalError(error, path: file)
        }
    }

    private mutating func run() throws -> Report {
        try checkFile()
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
        try checkRecords(recovery)
        try checkAnswers(recovery)
        try checkReferences()
        return report
    }

    private mutating func checkFile() throws(SQLiteError) {
        let statement = try database.prepare("PRAGMA integrity_check")
        while try statement.step() {
            let line = statement.text(0)
            if line != "ok" { report.damages.append("the file: \(line)") }
        }
    }

    /// The records that a recovery does not read too.
    private mutating func checkRecords(_ recovery: StoreRecovery) throws {
        let statement = try database.prepare(
            "SELECT sequence, collection, lineage, number, changes, checksum FROM records ORDER BY collection, sequence"
        )
        var last: (collection: String, lineage: String, number: Int64) = ("", "", 0)
        while try statement.step() {
            report.records += 1
            let (sequence, collection, lineage) = (statement.integer(0), statement.text(1), statement.text(2))
            let place = "record \(sequence) of \(collection)"
            do {
                let changes = try recovery.text(statement, 4, checksum: 5, sequence: sequence) {
                    StoreRecovery.damage(place, $0)
                }
                if !changes.isEmpty { _ = try ChangeDecoder().changes(changes) }
            } catch let error as JournalError {
                report.damages.append(error.message)
            } catch let error as DecodingProblem {
                report.damages.append(StoreRecovery.damage(place, "cannot be read: \(error.detail)").message)
            }
            let number = statement.integer(3)
            if last.collection == collection, last.lineage == lineage, !(last.number...last.number + 1).contains(number)
            {
                report.damages.append(
                    StoreRecovery.damage(place, "has number \(number) behind \(last.number)").message)
            }
            last = (collection, lineage, number)
        }
    }

    private mutating func checkAnswers(_ recovery: StoreRecovery) throws {
        let statement = try database.prepare("SELECT sequence, body, checksum FROM answers ORDER BY sequence")
        while try statement.step() {
            report.answers += 1
            let sequence = statement.integer(0)
            do {
                _ = try recovery.text(statement, 1, checksum: 2, sequence: sequence) {
                    StoreRecovery.damage("answer \(sequence)", $0)
                }
            } catch let error as JournalError { report.damages.append(error.message) }
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

extension StoreSchema {
    /// Opens a database to read it.
    ///
    /// - Throws: `JournalError` for a file that is no store of this version.
    static func openToRead(_ path: String) throws -> Database {
        let database = try Database(path: path, access: .readOnly, busyMilliseconds: 5_000)
        guard try database.integer("PRAGMA application_id") == applicationID else {
            throw JournalError("\(path) is no store of Medley")
        }
        let version = try database.integer("PRAGMA user_version") ?? 0
        guard version == steps.count else {
            throw JournalError(
                version > steps.count
                    ? "\(path) was written by a newer version of Medley"
                    : "\(path) was written by an older version of Medley; medley serve takes it to this one")
        }
        return database
    }
}
