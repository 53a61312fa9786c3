import Foundation
import MedleyCore
import Synchronization
import Testing

@testable import Journal

@Suite struct StoreBackupTests {
    private func lineages() -> () -> String {
        var count = 0
        return {
            count += 1
            return "new\(count)"
        }
    }

    @Test func aStoreIsCopiedWhileItIsEditedAndTheCopyIsOneMoment() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        let backup = folder.path + "/backup"
        let store = try OpenStore(folder)
        var script = EditScript(seed: 15)
        for _ in 0..<50 { store.submit(["a", "b"].map { script.edit($0) }) }
        let isDone = Atomic(false)
        let thread = Thread { [store] in
            var script = EditScript(seed: 16)
            while !isDone.load(ordering: .relaxed) {
                store.submit(["a", "b"].map { script.edit($0, canRemove: false) })
            }
            isDone.store(false, ordering: .relaxed)
        }
        thread.start()
        try StoreBackup.back(up: folder.path, to: backup)
        isDone.store(true, ordering: .relaxed)
        while isDone.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.001) }
        #expect(try StoreCheck.run(backup).damages == [])
        #expect(try StoreBackup.restore(backup, to: target.path, makeLineage: lineages()) == 2)
        #expect(try StoreCheck.run(target.path).damages == [])
    }

    @Test func aRestoredStoreHasItsContentUnderNewLineages() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        let backup = folder.path + "/backup"
        var expected: [String: Snapshot] = [:]
        do {
            let store = try OpenStore(folder)
            var script = EditScript(seed: 17)
            for round in 0..<40 {
                store.submit(["a", "b"].map { script.edit($0, key: "k\(round)", canRemove: false) })
            }
            try store.journal.perform { _ = $0.due.insert("a") }
            try StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 }).workOff()
            try StoreBackup.back(up: folder.path, to: backup)
            for (collection, snapshot) in store.library.all() { expected[collection] = snapshot }
        }
        _ = try StoreBackup.restore(backup, to: target.path, makeLineage: lineages(), now: { 1_000_000_000_000 })
        let store = try OpenStore(target)
        #expect(store.recovered.snapshots.mapValues(\.revision.lineage) == ["a": "new1", "b": "new2"])
        for (collection, snapshot) in expected {
            let restored = try #require(store.library.snapshot(of: collection))
            #expect(restored.changesFromNothing() == snapshot.changesFromNothing())
            #expect(restored.revision.number == snapshot.revision.number)
            #expect(restored.oldestKnownNumber == restored.revision.number)
        }
        // An edit that the backup has is not made again.
        #expect(store.recovered.answers.count > 20)
        var script = EditScript(seed: 18)
        for _ in 0..<20 { store.submit(["a", "b"].map { script.edit($0) }) }
        let histories = store.histories
        try store.journal.close()
        #expect(try OpenStore(target).histories == histories)
    }

    @Test func nothingIsOverwritten() throws {
        let folder = StoreFolder()
        let backup = folder.path + "/backup"
        do { _ = try OpenStore(folder) }
        try StoreBackup.back(up: folder.path, to: backup)
        #expect(throws: JournalError.self) { try StoreBackup.back(up: folder.path, to: backup) }
        #expect(throws: JournalError.self) {
            _ = try StoreBackup.restore(backup, to: folder.path, makeLineage: lineages())
        }
    }

    @Test func whatIsNoSoundBackupIsRefusedAndLeavesNothing() throws {
        let (folder, target) = (StoreFolder(), StoreFolder())
        let backup = folder.path + "/backup"
        do {
            let store = try OpenStore(folder)
            var script = EditScript(seed: 19)
            for _ in 0..<20 { store.submit(script.edit("a")) }
            try StoreBackup.back(up: folder.path, to: backup)
        }
        let sound = try Data(contentsOf: URL(fileURLWithPath: backup))
        for damaged in [sound.prefix(sound.count / 2), Data(), Data("text".utf8)] {
            try damaged.write(to: URL(fileURLWithPath: backup))
            #expect(throws: JournalError.self) {
                _ = try StoreBackup.restore(backup, to: target.path, makeLineage: lineages())
            }
            #expect(!StoreDirectory.holdsStore(target.path))
        }
    }
}
