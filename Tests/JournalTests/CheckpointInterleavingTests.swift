import CFaultyVFS
import MedleyCore
import MedleyJSON
import SQLite
import Testing

@testable import Journal

/// Edits while a checkpoint is being written, and faults while history goes.
@Suite struct CheckpointInterleavingTests {
    /// What comes in between.
    enum Interruption: CaseIterable {
        case edit, removal, removalAndCreation
    }

    private let removal = Edit(collection: "c") { _ in .remove(Answer(status: 204)) }

    @Test(arguments: Interruption.allCases, [0, 1, 2, Int.max])
    func whatComesInDuringACheckpointIsThereAfterARestart(_ interruption: Interruption, _ moment: Int) throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 31)
        var expected: [String: [String]] = [:]
        do {
            let store = try OpenStore(folder)
            store.submit(script.edit("c"))
            store.submit((0..<15).map { largeInsert($0, in: "c") })
            for _ in 0..<10 { store.submit(script.edit("c", canRemove: false)) }
            let job = try #require(
                try store.journal.perform { connection in
                    connection.due = ["c"]
                    return try connection.beginCheckpoint()
                })
            var encoder = CheckpointEncoder(job.snapshot)
            var pieces: [CheckpointPiece] = []
            while let piece = encoder.next() { pieces.append(piece) }
            try #require(pieces.count > 3)
            let interrupted = min(moment, pieces.count)
            for number in 0...pieces.count {
                if number == interrupted {
                    switch interruption {
                    case .edit: for _ in 0..<5 { store.submit(script.edit("c", canRemove: false)) }
                    case .removal: store.submit(removal)
                    case .removalAndCreation:
                        // One batch each, then all in one.
                        for edit in [removal, script.edit("c"), script.edit("c", canRemove: false)] {
                            store.submit(edit)
                        }
                        store.submit([removal, script.edit("c"), script.edit("c", canRemove: false)])
                    }
                    // Garbage is taken away meanwhile; these pieces are none.
                    #expect(try store.journal.perform { try $0.removeGarbage() } == false)
                }
                guard number < pieces.count else { break }
                let piece = pieces[number]
                try store.journal.perform { try $0.write(piece, number, of: job) }
            }
            let (count, bytes) = (pieces.count, pieces.reduce(0) { $0 + $1.text.count })
            let isFinished = try store.journal.perform { try $0.finish(job, pieces: count, byteCount: bytes) }
            #expect(isFinished == (interruption == .edit))
            if interruption != .removal { store.submit(script.edit("c", canRemove: false)) }
            expected = store.histories
            #expect(expected.isEmpty == (interruption == .removal))
            try store.journal.close()
        }
        let store = try OpenStore(folder)
        #expect(store.histories == expected)
        let keeper = StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 })
        try keeper.workOff()
        #expect(store.histories == expected)
        let unread = try store.journal.perform {
            try $0.database.integer(
                "SELECT count(*) FROM checkpoint_pieces WHERE checkpoint NOT IN (SELECT id FROM checkpoints)")
        }
        #expect(unread == 0)
        try store.journal.close()
        #expect(try StoreCheck.run(folder.path).damages == [])
    }

    /// A store with history that is too old, and a keeper of it that may be disturbed.
    private struct Aged {
        let store: OpenStore
        let keeper: StoreKeeper
        var script = EditScript(seed: 41)

        init(_ folder: StoreFolder, _ disk: FaultyDisk, _ clock: ManualClock) throws {
            store = try OpenStore(folder, vfs: disk.name, now: clock.now)
            keeper = Self.keeper(of: store, clock)
            for round in 0..<24 {
                store.submit(script.edit(round % 3 == 0 ? "a" : "b", key: "k\(round)", canRemove: false))
            }
            clock.advance(days: 31)
            for round in 0..<12 {
                store.submit(script.edit(round % 3 == 0 ? "a" : "b", key: "l\(round)", canRemove: false))
            }
        }

        static func keeper(of store: OpenStore, _ clock: ManualClock) -> StoreKeeper {
            var history = StoreKeeper.History()
            history.deletions = 1
            return StoreKeeper(
                store.journal, committer: store.committer, history: history, now: clock.now,
                monotonic: clock.monotonic)
        }

        /// One edit more, then the end.
        mutating func end() throws {
            guard case .answered = store.submit(script.edit("a", canRemove: false)) else {
                Issue.record("the store cannot be written")
                return
            }
            try store.journal.close()
        }
    }

    @Test(arguments: [false, true])
    func aFaultWhileHistoryGoesTakesNothingElse(_ isLasting: Bool) throws {
        let disk = FaultyDisk()
        /// What is left when all old history is gone: the collections, and the rows.
        func run(_ fault: Int?) throws -> (histories: [String: [String]], rows: [Int64?], calls: Int) {
            let (folder, clock) = (StoreFolder(), ManualClock())
            faulty_vfs_reset(disk.number)
            var aged = try Aged(folder, disk, clock)
            let before = disk.calls
            if let fault { faulty_vfs_fail_at(disk.number, before + fault, isLasting ? 1 : 0, 0) }
            do { try aged.keeper.workOff() } catch {}
            let calls = disk.calls - before
            faulty_vfs_heal(disk.number)
            try aged.end()
            #expect(try StoreCheck.run(folder.path).damages == [])
            let store = try OpenStore(folder, vfs: disk.name, now: clock.now)
            try Aged.keeper(of: store, clock).workOff()
            let rows = try ["records", "answers", "checkpoints"].map { table in
                try store.journal.perform { try $0.database.integer("SELECT count(*) FROM \(table)") }
            }
            let histories = store.histories
            try store.journal.close()
            return (histories, rows, calls)
        }
        let expected = try run(nil)
        try #require(expected.calls > 40)
        #expect((expected.rows[0] ?? 0) <= 13 && (expected.rows[1] ?? 0) <= 12)
        for call in 1...expected.calls {
            let ended = try run(call)
            #expect(ended.histories == expected.histories, "call \(call)")
            #expect(ended.rows == expected.rows, "call \(call)")
        }
    }
}
