import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

/// A store that is not what was written, or is no store.
@Suite struct StoreDamageTests {
    /// A folder with a store that has a checkpoint with records behind it, and answers.
    private func makeStore() throws -> StoreFolder {
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

    private func damage(_ folder: StoreFolder, _ sql: String) throws {
        let database = try Database(path: folder.databasePath, access: .readWrite)
        try database.execute(sql)
        try #require(database.changeCount > 0)
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
    static let damages = [
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
        Damage("DELETE FROM checkpoint_pieces WHERE piece = (SELECT max(piece) FROM checkpoint_pieces)", "checkpoint"),
        Damage("UPDATE checkpoints SET lineage = 'other'", "checkpoint"),
        Damage("UPDATE checkpoints SET number = number + 1", "checkpoint"),
        Damage("UPDATE checkpoints SET number = 0", "checkpoint"),
        Damage("DELETE FROM checkpoints", "collection", isRead: false),
        Damage("UPDATE collections SET lineage = 'other'", "checkpoint"),
        Damage("UPDATE answers SET body = body || 'x'", "answer"),
        Damage("INSERT INTO long_texts VALUES (123456, 0, x'00')", "long text 123456", isRead: false),
    ]

    @Test(arguments: damages)
    func damageIsToldWithItsPlaceAndNothingIsReset(_ damage: Damage) throws {
        let folder = try makeStore()
        try self.damage(folder, damage.sql)
        let content = try Data(contentsOf: URL(fileURLWithPath: folder.databasePath))
        if damage.name != "collection" {
            let report = try StoreCheck.run(folder.path)
            #expect(!report.damages.isEmpty)
            #expect(report.damages.contains { $0.contains(damage.name) }, "\(report.damages)")
        }
        if damage.isRead {
            let error = #expect(throws: JournalError.self) { _ = try OpenStore(folder) }
            #expect(error?.message.contains(damage.name) == true, "\(error?.message ?? "")")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.databasePath)) == content)
        }
    }

    @Test func aSoundStoreIsToldToBe() throws {
        let folder = try makeStore()
        defer { withExtendedLifetime(folder) {} }
        let report = try StoreCheck.run(folder.path)
        #expect(report.damages.isEmpty, "\(report.damages)")
        #expect(report.collections == 1)
        #expect(report.records > 30)
        #expect(report.answers > 10)
    }

    @Test func bytesThatRotInTheFileAreFound() throws {
        let folder = try makeStore()
        let url = URL(fileURLWithPath: folder.databasePath)
        let sound = try Data(contentsOf: url)
        var found = 0
        let seed = UInt64.random(in: 1...999_999)
        print("seed \(seed)")
        var script = SplitMix(state: seed)
        let rounds = 60
        for _ in 0..<rounds {
            var rotten = sound
            let offset = Int(script.next() % UInt64(sound.count))
            rotten[offset] ^= UInt8(1 << (script.next() % 8))
            try rotten.write(to: url)
            // It must neither crash nor hang; what lies in free space or in a time or a count is not seen.
            let isDamaged = (try? StoreCheck.run(folder.path))?.damages.isEmpty != true
            if isDamaged { found += 1 }
            _ = try? SQLiteJournal.open(folder.path)
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
        let folder = try makeStore()
        let database = try Database(path: folder.databasePath, access: .readWrite)
        try database.execute("PRAGMA user_version = \(StoreSchema.steps.count + 1)")
        try database.close()
        for error in [
            #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) },
            #expect(throws: JournalError.self) { try StoreCheck.run(folder.path) },
        ] { #expect(error?.message.contains("newer version") == true) }
    }

    @Test func anOlderVersionIsTakenToThisOneInOneTransaction() throws {
        let folder = try makeStore()
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
