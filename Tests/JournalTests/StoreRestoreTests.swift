import CFaultyVFS
import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

/// Restoring from what is not a plain backup file of this version, on disks that fail.
@Suite struct StoreRestoreTests {
    /// A store with a checkpoint, records and answers, and what its collections hold.
    private func makeStore(_ folder: StoreFolder) throws -> (store: OpenStore, contents: [String: [Change]]) {
        let store = try OpenStore(folder)
        var script = EditScript(seed: 23)
        for round in 0..<20 { store.submit(["a", "b"].map { script.edit($0, key: "k\(round)", canRemove: false) }) }
        try store.journal.perform { _ = $0.due.insert("a") }
        try StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 }).workOff()
        for _ in 0..<5 { store.submit(["a", "b"].map { script.edit($0, canRemove: false) }) }
        return (store, contents(of: store))
    }

    private func contents(of store: OpenStore) -> [String: [Change]] {
        Dictionary(uniqueKeysWithValues: store.library.all().map { ($0.collection, $0.snapshot.changesFromNothing()) })
    }

    private func restore(
        _ file: String, to target: StoreFolder, vfs: String? = nil, steps: [String] = StoreSchema.steps
    ) throws -> Int {
        var count = 0
        return try StoreBackup.restore(
            file, to: target.path,
            makeLineage: {
                count += 1
                return "new\(count)"
            }, now: { 1_000_000_000_000 }, vfs: vfs, steps: steps)
    }

    @Test(arguments: [true, false])
    func aCopyWithItsLogIsRestoredWithWhatIsInTheLog(_ isFolder: Bool) throws {
        let (folder, copy, target) = (StoreFolder(), StoreFolder(), StoreFolder())
        let (store, expected) = try makeStore(folder)
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.databasePath + suffix, toPath: copy.databasePath + suffix)
        }
        #expect(try restore(isFolder ? copy.path : copy.databasePath, to: target) == 2)
        let again = try OpenStore(target)
        #expect(contents(of: again) == expected)
        #expect(again.recovered.snapshots.mapValues(\.revision.lineage) == ["a": "new1", "b": "new2"])
        withExtendedLifetime(store) {}
    }

    @Test func aStoreIsRestoredWhileItIsServed() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        let (store, expected) = try makeStore(folder)
        #expect(try restore(folder.path, to: target) == 2)
        #expect(contents(of: try OpenStore(target)) == expected)
        var script = EditScript(seed: 24)
        guard case .answered = store.submit(script.edit("a")) else {
            Issue.record("the store that was read cannot be written")
            return
        }
    }

    @Test func aBackupOfAnOlderVersionIsTakenToThisOneAndNotChangedItself() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        let (store, expected) = try makeStore(folder)
        try store.journal.close()
        let backup = folder.path + "/backup"
        try StoreBackup.back(up: folder.path, to: backup)
        let content = try Data(contentsOf: URL(fileURLWithPath: backup))
        let steps = StoreSchema.steps + ["ALTER TABLE store ADD COLUMN added INTEGER NOT NULL DEFAULT 5"]
        let error = #expect(throws: JournalError.self) { try StoreCheck.run(backup, vfs: nil, steps: steps) }
        #expect(error?.message.contains("older version") == true)
        #expect(try restore(backup, to: target, steps: steps) == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == content)
        let database = try Database(path: target.databasePath, access: .readWrite)
        #expect(try database.integer("PRAGMA user_version") == Int64(steps.count))
        #expect(try database.integer("SELECT added FROM store") == 5)
        try database.execute("PRAGMA user_version = \(StoreSchema.steps.count); ALTER TABLE store DROP COLUMN added")
        try database.close()
        #expect(contents(of: try OpenStore(target)) == expected)
    }

    @Test func aDamagedStoreIsNotRestoredWhateverIsDamaged() throws {
        for damage in StoreDamageTests.damages {
            let (folder, target) = (try StoreDamageTests.makeStore(), StoreFolder())
            try StoreDamageTests.damage(folder, damage.sql)
            #expect(throws: JournalError.self, "\(damage.sql)") { _ = try restore(folder.path, to: target) }
            #expect(try left(in: target) == [], "\(damage.sql)")
        }
    }

    // MARK: Disks that fail

    /// The files in a folder but its lock.
    private func left(in folder: StoreFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "lock" }.sorted()
    }

    /// Restores, and checks that there is a whole store or none; returns whether there is one.
    private func attempt(_ backup: String, _ disk: FaultyDisk, _ expected: [String: [Change]], _ place: String) throws
        -> Bool
    {
        let target = StoreFolder()
        do { _ = try restore(backup, to: target, vfs: disk.name) } catch {
            #expect(try left(in: target) == [], "\(place)")
            return false
        }
        #expect(try left(in: target) == ["medley.sqlite"], "\(place)")
        #expect(try StoreCheck.run(target.path).damages == [], "\(place)")
        let store = try OpenStore(target)
        #expect(contents(of: store) == expected, "\(place)")
        #expect(store.recovered.snapshots.values.allSatisfy { $0.revision.lineage.hasPrefix("new") }, "\(place)")
        return true
    }

    @Test(arguments: [false, true])
    func whateverCallFailsThereIsAWholeStoreOrNone(_ isPersistent: Bool) throws {
        let (disk, folder) = (FaultyDisk(), StoreFolder())
        let (store, expected) = try makeStore(folder)
        try store.journal.close()
        let backup = folder.path + "/backup"
        try StoreBackup.back(up: folder.path, to: backup)
        faulty_vfs_reset(disk.number)
        try #require(try attempt(backup, disk, expected, "no failure"))
        let count = disk.calls
        try #require(count > 100)
        var refused = 0
        for call in 1...count {
            faulty_vfs_reset(disk.number)
            faulty_vfs_fail_at(disk.number, call, isPersistent ? 1 : 0, 0)
            if try !attempt(backup, disk, expected, "call \(call)") { refused += 1 }
        }
        #expect(refused > count / 2)
    }

    @Test func onADiskThatIsFullThereIsAWholeStoreOrNone() throws {
        let (disk, folder) = (FaultyDisk(), StoreFolder())
        let (store, expected) = try makeStore(folder)
        try store.journal.close()
        let backup = folder.path + "/backup"
        try StoreBackup.back(up: folder.path, to: backup)
        var (room, refused, isDone) = (0, 0, false)
        while !isDone {
            faulty_vfs_reset(disk.number)
            faulty_vfs_set_room(disk.number, Int64(room))
            isDone = try attempt(backup, disk, expected, "\(room) bytes")
            if !isDone { refused += 1 }
            room += 4_096
            try #require(room < 10 << 20)
        }
        #expect(refused > 10)
    }
}
