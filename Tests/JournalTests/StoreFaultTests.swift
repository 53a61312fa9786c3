import CFaultyVFS
import MedleyCore
import Testing

@testable import Journal

/// A store on a disk that fails: whatever fails, and when, an edit is applied and answered, or refused and absent.
@Suite struct StoreFaultTests {
    /// How a call fails.
    enum Fault: CaseIterable {
        /// One call only.
        case once
        /// All from one on, until the disk is well again while the process lives.
        case untilHealed
        /// All from one on, until the power goes too: what was not synced may be lost, or there in part.
        case untilPowerCut
    }

    /// What an edit's answer said of it, and what readers saw then.
    private struct Outcome {
        var histories: [String: [String]] = [:]
        /// What readers would have seen, had the edits not been refused since something last succeeded.
        var refusedLast = false
    }

    /// Opens a store, edits it, takes checkpoints, and edits on; faults may come at any call.
    private func run(_ folder: StoreFolder, _ disk: FaultyDisk) -> (store: OpenStore?, outcome: Outcome) {
        var outcome = Outcome()
        var script = EditScript(seed: 21)
        guard let store = try? OpenStore(folder, vfs: disk.name) else { return (nil, outcome) }
        let keeper = StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 })
        for round in 0..<12 {
            let result = store.submit(script.edit(round % 3 == 1 ? "b" : "a", key: round % 2 == 0 ? "k\(round)" : nil))
            outcome.refusedLast = if case .storageFailed = result { true } else { false }
            if outcome.refusedLast {
                #expect(store.histories == outcome.histories, "a refused edit was published")
            } else {
                outcome.histories = store.histories
            }
            if round == 6 {
                try? store.journal.perform { $0.due.formUnion(["a", "b"]) }
                try? keeper.workOff()
                #expect(store.histories == outcome.histories)
            }
        }
        return (store, outcome)
    }

    @Test(arguments: Fault.allCases)
    func whateverCallFailsAnEditIsAppliedAndAnsweredOrRefusedAndAbsent(_ fault: Fault) throws {
        let disk = FaultyDisk()
        let count: Int
        do {
            let folder = StoreFolder()
            let (store, outcome) = run(folder, disk)
            count = disk.calls
            #expect(store != nil && outcome.histories.count == 2)
        }
        try #require(count > 100)
        for call in 1...count {
            let folder = StoreFolder()
            faulty_vfs_reset(disk.number)
            faulty_vfs_fail_at(disk.number, call, fault == .once ? 0 : 1, 0)
            let (store, outcome) = run(folder, disk)
            switch fault {
            case .once: break
            case .untilHealed:
                faulty_vfs_heal(disk.number)
                // What the keeper does as soon as it can.
                if let store { try? store.journal.perform { try $0.probe() } }
            case .untilPowerCut: faulty_vfs_cut(disk.number, UInt64(call))
            }
            try? store?.journal.close()
            faulty_vfs_reset(disk.number)
            try expectRecovery(folder, disk, outcome, isCut: fault == .untilPowerCut, "\(fault) at call \(call)")
        }
    }

    private func expectRecovery(
        _ folder: StoreFolder, _ disk: FaultyDisk, _ outcome: Outcome, isCut: Bool, _ place: String
    ) throws {
        let store: OpenStore
        do { store = try OpenStore(folder, vfs: disk.name) } catch {
            Issue.record("\(place): the store does not open: \(error)")
            return
        }
        if isCut, outcome.refusedLast, store.histories != outcome.histories {
            // Nothing could be written after the failure, so what was refused last may have come to be: all or nothing.
            #expect(isOneEditFurther(store.library, outcome), "\(place): half an edit")
        } else {
            #expect(store.histories == outcome.histories, "\(place)")
        }
        // And it can be used.
        var script = EditScript(seed: 99)
        guard case .answered = store.submit(script.edit("c")) else {
            Issue.record("\(place): the store cannot be written")
            return
        }
        try store.journal.close()
    }

    /// Whether what readers saw last is there, and one edit more, which is whole.
    private func isOneEditFurther(_ library: Library, _ outcome: Outcome) -> Bool {
        let changed = library.all().filter { $0.snapshot.historyText != outcome.histories[$0.collection] }
        guard let (collection, snapshot) = changed.first, changed.count == 1 else { return false }
        if outcome.histories[collection] == nil { return snapshot.revision.number == 1 }
        let before = snapshot.revision.number - 1
        let known = outcome.histories[collection]?.first
        return known == "\(snapshot.revision.lineage)-\(before)" && (try? snapshot.checkInvariants()) != nil
    }

    @Test func aFullDiskRefusesEditsAndResumesWithRoom() throws {
        let disk = FaultyDisk()
        let folder = StoreFolder()
        let store = try OpenStore(folder, vfs: disk.name)
        var script = EditScript(seed: 4)
        var expected: [String: [String]] = [:]
        for round in 0..<6 {
            faulty_vfs_set_room(disk.number, Int64(round) * 10_000)
            var refused = 0
            for _ in 0..<40 {
                switch store.submit(script.edit("c", canRemove: false)) {
                case .storageFailed:
                    refused += 1
                    #expect(store.journal.isFailing)
                    #expect(store.histories == expected)
                default: expected = store.histories
                }
            }
            #expect(refused > 0 || round > 0)
            faulty_vfs_heal(disk.number)
            try store.journal.perform { try $0.probe() }
            #expect(!store.journal.isFailing)
            guard case .answered = store.submit(script.edit("c", canRemove: false)) else {
                Issue.record("the store did not resume")
                return
            }
            expected = store.histories
        }
        try store.journal.close()
        #expect(try OpenStore(folder, vfs: disk.name).histories == expected)
    }

    @Test func whatWasAnsweredOutlivesAPowerCut() throws {
        let disk = FaultyDisk()
        for seed in UInt64(1)...60 {
            faulty_vfs_reset(disk.number)
            let folder = StoreFolder()
            var script = EditScript(seed: seed)
            var expected: [String: [String]] = [:]
            do {
                let store = try OpenStore(folder, vfs: disk.name)
                for _ in 0..<20 { store.submit(script.edit("c")) }
                expected = store.histories
                faulty_vfs_cut(disk.number, seed)
                #expect(store.submit((0..<5).map { _ in script.edit("c") }).count == 5)
                try? store.journal.close()
            }
            faulty_vfs_reset(disk.number)
            #expect(try OpenStore(folder, vfs: disk.name).histories == expected, "seed \(seed)")
        }
    }
}
