import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

/// A store that is not what was written, or is no store.
@Suite struct StoreDamageTests {
    /// A folder with a store that has a checkpoint with records behind it, and answers.
    static func makeStore() throws -> StoreFolder {
        let folder = StoreFolder()
        let store = try OpenStore(folder)
        var script = EditScript(seed: 8)
        for number in 0..<30 { store.submit(script.edit("c", key: "k\(number)", canRemove: false)) }
        try store.journal.perform { _ = $0.due.insert("c") }
        try StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 }).workOff()
        for _ in 0..<30 { store.submit(script.edit("c", canRemove: false)) }
        try store.journal.close()
        return folder
    }

    static func damage(_ folder: StoreFolder, _ sql: String) throws {
        let database = try Database(path: folder.databasePath, access: .readWrite)
        try database.execute(sql)
        try #require(try database.integer("SELECT total_changes()") ?? 0 > 0)
        try database.close()
    }

    /// A damage, what names it, and whether a recovery reads that place.
    struct Damage: Sendable, CustomTestStringConvertible {
        let sql: String
        let name: String
        var isRead = true

        var testDescription: String { sql }

        init(_ sql: String, _ name: String, isRead: Bool = true) {
            self.sql = sql
            self.name = name
            self.isRead = isRead
        }
    }

    private static let last = "sequence = (SELECT max(sequence) FROM records)"
    private static let first = "sequence = (SELECT min(sequence) FROM records)"
    /// Every column of a record and of an answer, whether a recovery reads the row or a checkpoint covers it.
    private static let columns =
        [
            "time = time + 1", "time = -9223372036854775808", "number = 9223372036854775807",
            "sequence = sequence + 1000",
        ]
        .map { Damage("UPDATE records SET \($0) WHERE \(last)", "record") }
        + ["time = time + 1", "number = 9223372036854775807", "number = 0", "action = 'delete'", "lineage = 'l'"]
        .map { Damage("UPDATE records SET \($0) WHERE \(first)", "record", isRead: false) }
        + [
            "collection = 'd'", "caller = 'you'", "key = key || 'x'", "fingerprint = fingerprint + 1",
            "time = time + 1",
            "time = -9223372036854775808", "status = 500", "headers = 'Revision: other'", "sequence = sequence + 1000",
        ].map { Damage("UPDATE answers SET \($0)", "answer") }

    static let damages =
        [
            Damage("UPDATE records SET changes = replace(changes, 'i', 'j') WHERE \(last)", "record"),
            Damage("UPDATE records SET changes = '' WHERE \(last)", "record"),
            Damage("UPDATE records SET changes = NULL WHERE \(last)", "record"),
            Damage("UPDATE records SET checksum = checksum + 1 WHERE \(last)", "record"),
            Damage("UPDATE records SET number = number + 1 WHERE \(last)", "record"),
            Damage("UPDATE records SET lineage = 'other' WHERE \(last)", "record"),
            Damage("UPDATE records SET action = 'create' WHERE \(last)", "record"),
            Damage("DELETE FROM records WHERE sequence = (SELECT max(sequence) - 1 FROM records)", "record"),
            Damage("UPDATE records SET changes = changes || ' ' WHERE \(first)", "record", isRead: false),
            Damage("UPDATE checkpoint_pieces SET content = replace(content, '1', '2')", "checkpoint"),
            Damage("UPDATE checkpoint_pieces SET kind = 'other'", "checkpoint"),
            Damage("DELETE FROM checkpoint_pieces WHERE piece = 0", "checkpoint"),
            Damage(
                "DELETE FROM checkpoint_pieces WHERE piece = (SELECT max(piece) FROM checkpoint_pieces)", "checkpoint"),
            Damage("UPDATE checkpoints SET lineage = 'other'", "checkpoint"),
            Damage("UPDATE checkpoints SET number = number + 1", "checkpoint"),
            Damage("UPDATE checkpoints SET number = 0", "checkpoint"),
            Damage("UPDATE checkpoints SET number = -1", "checkpoint"),
            Damage("UPDATE checkpoints SET sequence = sequence + 10", "record"),
            Damage("UPDATE checkpoints SET sequence = 9223372036854775807", "record"),
            Damage(
                "DELETE FROM records WHERE sequence <= (SELECT sequence FROM checkpoints); DELETE FROM checkpoints",
                "record"),
            Damage("DELETE FROM checkpoints; DELETE FROM records", "collection"),
            Damage(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, 'id = 1', 'id =$1') WHERE name = 'store'
                """, "the table store", isRead: false),
            Damage(
                "INSERT INTO checkpoint_pieces VALUES (9223372036854775807, 0, 'sections', '[]', 0)",
                "newest checkpoint"),
            Damage("DELETE FROM checkpoints; UPDATE collections SET sequence = -9223372036854775808", "collection"),
            Damage("UPDATE collections SET sequence = 9223372036854775807", "newest sequence"),
            Damage("UPDATE collections SET lineage = 'other'", "checkpoint"),
            Damage("UPDATE answers SET body = body || 'x'", "answer"),
        ] + columns + [
            Damage("INSERT INTO long_texts VALUES (123456, 0, x'00')", "long text 123456", isRead: false)
        ]

    @Test(arguments: damages)
    func damageIsToldWithItsPlaceAndNothingIsReset(_ damage: Damage) throws {
        let folder = try Self.makeStore()
        try Self.damage(folder, damage.sql)
        let content = try Data(contentsOf: URL(fileURLWithPath: folder.databasePath))
        let report = try StoreCheck.run(folder.path)
        #expect(report.damages.contains { $0.contains(damage.name) }, "\(report.damages)")
        if damage.isRead {
            let error = #expect(throws: JournalError.self) { _ = try OpenStore(folder) }
            #expect(error?.message.contains(damage.name) == true, "\(error?.message ?? "")")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.databasePath)) == content)
        }
    }

    @Test func aSoundStoreIsToldToBe() throws {
        let folder = try Self.makeStore()
        defer { withExtendedLifetime(folder) {} }
        let report = try StoreCheck.run(folder.path)
        #expect(report.damages.isEmpty, "\(report.damages)")
        #expect(report.collections == 1)
        #expect(report.records > 30)
        #expect(report.answers > 10)
    }

    @Test func aCheckpointThatIsGoneCostsNothingAsLongAsTheRecordsAreThere() throws {
        let folder = try Self.makeStore()
        let expected = try OpenStore(folder).histories
        try Self.damage(folder, "DELETE FROM checkpoints")
        #expect(try StoreCheck.run(folder.path).damages == [])
        #expect(try OpenStore(folder).histories == expected)
    }

    /// Numbers that no store comes to, in rows whose checksums are right.
    @Test(arguments: [[Int64.max, Int64.max], [Int64.max, Int64.min], [Int64.min, Int64.max], [0, -1]])
    func numbersAtTheEdgeAreToldAndDoNotEndTheCheck(_ numbers: [Int64]) throws {
        let folder = try Self.makeStore()
        let database = try Database(path: folder.databasePath, access: .readWrite)
        let recovery = StoreRecovery(database, path: "p", keptDeletions: 10)
        for (offset, number) in numbers.enumerated() {
            let find = try database.prepare(
                "SELECT \(StoredRecord.columns) FROM records ORDER BY sequence LIMIT 1 OFFSET \(offset)")
            try #require(try find.step())
            let row = try StoredRecord(find, recovery)
            find.reset()
            let changed = StoredRecord(
                sequence: row.sequence, collection: row.collection, lineage: row.lineage, number: number,
                time: row.time,
                action: row.action, changes: row.changes)
            try database.execute(
                "UPDATE records SET number = \(number), checksum = \(changed.checksum) WHERE sequence = \(row.sequence)"
            )
        }
        try database.close()
        #expect(try StoreCheck.run(folder.path).damages.contains { $0.contains("has number") })
    }

    @Test(arguments: [0, -1, Int64.min])
    func aRecordWhoseNumberRottedLetsNoDeletionsGo(_ number: Int64) throws {
        let folder = try Self.makeStore()
        try Self.damage(folder, "UPDATE records SET number = \(number) WHERE \(Self.first)")
        let store = try OpenStore(folder)
        try #require(store.library.snapshot(of: "c")?.keptDeletionCount ?? 0 > 0)
        let expired = try store.journal.perform { connection throws in
            try connection.expiredNumbers(keeping: 0).map(\.number)
        }
        #expect(expired == [])
    }

    @Test func bytesThatRotInTheFileAreFoundOrDoNotMatter() throws {
        let folder = try Self.makeStore()
        let url = URL(fileURLWithPath: folder.databasePath)
        let sound = try Data(contentsOf: url)
        let before = try OpenStore(folder)
        let (expected, answers) = (before.histories, before.recovered.answers.map(\.answer))
        try before.journal.close()
        var found = 0
        let seed = UInt64.random(in: 1...999_999)
        print("seed \(seed)")
        var script = SplitMix(state: seed)
        let rounds = 60
        for _ in 0..<rounds {
            var rotten = sound
            let (offset, bit) = (Int(script.next() % UInt64(sound.count)), script.next() % 8)
            rotten[offset] ^= UInt8(1 << bit)
            try rotten.write(to: url)
            // It must neither crash nor hang.
            if (try? StoreCheck.run(folder.path))?.damages.isEmpty != true {
                found += 1
                _ = try? SQLiteJournal.open(folder.path)
            } else {
                // Free space, or a column that nothing depends on.
                let store = try OpenStore(folder)
                #expect(store.histories == expected, "bit \(bit) of byte \(offset)")
                #expect(store.recovered.answers.map(\.answer) == answers, "bit \(bit) of byte \(offset)")
            }
            try? FileManager.default.removeItem(atPath: folder.databasePath + "-wal")
            try? FileManager.default.removeItem(atPath: folder.databasePath + "-shm")
        }
        #expect(found > 0)
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    // MARK: No store, or another version

    @Test(arguments: [
        ("no database at all, but long enough to be looked at as one", "no store"), ("", "no store"),
    ])
    func aFileThatIsNoStoreIsRefused(_ content: String, _ name: String) throws {
        let folder = StoreFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data(String(repeating: content, count: 100).utf8).write(to: URL(fileURLWithPath: folder.databasePath))
        #expect(throws: JournalError.self) { try StoreCheck.run(folder.path) }
        // An empty file is what a start leaves that was killed at once.
        if !content.isEmpty { #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) } }
    }

    @Test func anotherProgramsDatabaseIsRefusedAndLeftAlone() throws {
        let folder = StoreFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let database = try Database(path: folder.databasePath, access: .create)
        try database.execute("CREATE TABLE theirs (x)")
        try database.close()
        let content = try Data(contentsOf: URL(fileURLWithPath: folder.databasePath))
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) }
        #expect(error?.message.contains("another program") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.databasePath)) == content)
    }

    @Test func aNewerVersionIsRefusedWithAMessage() throws {
        let folder = try Self.makeStore()
        let database = try Database(path: folder.databasePath, access: .readWrite)
        try database.execute("PRAGMA user_version = \(StoreSchema.steps.count + 1)")
        try database.close()
        for error in [
            #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) },
            #expect(throws: JournalError.self) { try StoreCheck.run(folder.path) },
        ] { #expect(error?.message.contains("newer version") == true) }
    }

    @Test func anOlderVersionIsTakenToThisOneInOneTransaction() throws {
        let folder = try Self.makeStore()
        let database = try Database(path: folder.databasePath, access: .readWrite)
        let steps = StoreSchema.steps + ["ALTER TABLE store ADD COLUMN added INTEGER NOT NULL DEFAULT 5"]
        #expect(throws: (any Error).self) {
            try StoreSchema.prepare(database, path: "p", steps: steps + ["CREATE TABLE x (y)", "no SQL"])
        }
        #expect(try database.integer("PRAGMA user_version") == Int64(StoreSchema.steps.count))
        try StoreSchema.prepare(database, path: "p", steps: steps)
        #expect(try database.integer("PRAGMA user_version") == Int64(steps.count))
        #expect(try database.integer("SELECT added FROM store") == 5)
        #expect(try database.integer("SELECT count(*) FROM records") ?? 0 > 0)
    }
}
