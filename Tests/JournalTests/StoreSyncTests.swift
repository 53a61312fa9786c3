import CFaultyVFS
import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

/// What a sync makes durable, and what one that failed must not.
@Suite struct StoreSyncTests {
    @Test func editsThatWaitTogetherShareOneSync() throws {
        let (disk, folder, gate) = (FaultyDisk(), StoreFolder(), Gate())
        let store = try OpenStore(folder, vfs: disk.name)
        var script = EditScript(seed: 5)
        store.submit(script.edit("c"))
        let (syncs, batches) = (disk.syncs, store.committer.statistics.batches)
        func like(waits: Bool) -> Edit {
            Edit(collection: "c") { snapshot in
                if waits { gate.wait() }
                let next = try? snapshot?.applying([Change(.toggleLiked(["s1-0"]))])
                return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
            }
        }
        // While the first is decided on, the others come.
        store.committer.submit(like(waits: true)) { _ in }
        for _ in 0..<50 { store.committer.submit(like(waits: false)) { _ in } }
        gate.open()
        store.committer.waitUntilIdle()
        #expect(store.library.snapshot(of: "c")?.revision.number == 52)
        #expect(try store.journal.perform { try $0.database.integer("SELECT count(*) FROM records") } == 52)
        // One batch, or two if the first was taken before the rest came.
        let added = store.committer.statistics.batches - batches
        #expect((1...2).contains(added))
        #expect(disk.syncs - syncs == Int(added))
    }

    /// An edit whose sync fails.
    enum Refused: CaseIterable {
        case edit, largeEdit, creation, deletion

        var collection: String { self == .creation ? "new" : "c" }

        func decide(_ snapshot: Snapshot?) -> Decision {
            switch self {
            case .deletion: return .remove(Answer(status: 204))
            case .creation:
                let made = try? Snapshot(lineage: "l", content: SnapshotContent(members: .titled("New"), sections: []))
                return made.map { .publish($0, Answer(status: 201)) } ?? .keep(Answer(status: 409))
            case .edit, .largeEdit:
                let title = String(repeating: "x", count: self == .largeEdit ? 100_000 : 10)
                let item = ItemContent(id: "refused", type: ItemType("music"), liked: nil, model: .titled(title))
                let next = try? snapshot?.applying([Change(.insert([item], at: .first(in: "s1")))])
                return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
            }
        }
    }

    @Test(arguments: Refused.allCases)
    func anEditWhoseSyncFailedDoesNotComeBackWithTheLog(_ refused: Refused) throws {
        let (disk, folder, killed) = (FaultyDisk(), StoreFolder(), StoreFolder())
        let store = try OpenStore(folder, vfs: disk.name)
        var script = EditScript(seed: 6)
        for _ in 0..<5 { store.submit(script.edit("c", canRemove: false)) }
        let expected = store.histories
        faulty_vfs_fail_kind_at(disk.number, FAULTY_SYNC, disk.syncs + 1, 0, 0)
        let result = store.submit(
            Edit(
                collection: refused.collection, key: IdempotencyKey(caller: "me", value: "refused", fingerprint: 1),
                decide: refused.decide))
        guard case .storageFailed = result else {
            Issue.record("the sync did not fail: \(result)")
            return
        }
        #expect(faulty_vfs_failures(disk.number) == 1)
        #expect(store.histories == expected)
        // What a kill leaves at this moment: database and log as they are.
        try FileManager.default.createDirectory(atPath: killed.path, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.databasePath + suffix, toPath: killed.databasePath + suffix)
        }
        let again = try OpenStore(killed)
        #expect(again.histories == expected)
        #expect(again.recovered.answers.isEmpty)
        withExtendedLifetime(store) {}
    }
}
