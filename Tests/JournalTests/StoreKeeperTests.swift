import CFaultyVFS
import Dispatch
import Foundation
import MedleyCore
import SQLite
import Synchronization
import Testing

@testable import Journal

/// The keeper as it runs beside a service.
@Suite struct StoreKeeperTests {
    private func number(_ sql: String, _ store: OpenStore) throws -> Int64? {
        try store.journal.perform { try $0.database.integer(sql) }
    }

    private static let garbage =
        "SELECT count(*) FROM checkpoint_pieces WHERE checkpoint NOT IN (SELECT id FROM checkpoints)"

    private func isRefused(_ result: EditResult) -> Bool { if case .storageFailed = result { true } else { false } }

    @Test func aRunningKeeperTakesACheckpointWhenOneIsDueAndNoneAfterItsEnd() throws {
        let store = try OpenStore(StoreFolder())
        var script = EditScript(seed: 1)
        let keeper = StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 })
        keeper.start()
        keeper.waitUntilIdle()
        store.submit(script.edit("c"))
        #expect(try number("SELECT count(*) FROM checkpoints", store) == 0)
        // More than the megabyte that is replayed rather than written.
        store.submit((0..<30).map { largeInsert($0, in: "c") })
        keeper.waitUntilIdle()
        let newest = try number("SELECT number FROM checkpoints", store)
        #expect(newest == 31)
        #expect(keeper.stop())
        store.submit((30..<60).map { largeInsert($0, in: "c") })
        #expect(try store.journal.perform { $0.due } == ["c"])
        keeper.waitUntilIdle()
        #expect(try number("SELECT number FROM checkpoints", store) == newest)
    }

    @Test func aKeeperFindsOutThatTheDiskIsWellAgain() throws {
        let disk = FaultyDisk()
        let store = try OpenStore(StoreFolder(), vfs: disk.name)
        let (lines, isWell) = (Lines(), Gate())
        let keeper = StoreKeeper(
            store.journal, committer: store.committer, now: { 1_000_000_000_000 },
            log: { line in
                lines.log(line)
                if line.contains("can be written again") { isWell.open() }
            })
        var script = EditScript(seed: 2)
        faulty_vfs_fail_kind_at(disk.number, FAULTY_WRITE, faulty_vfs_calls_of(disk.number, FAULTY_WRITE) + 1, 1, 0)
        #expect(isRefused(store.submit(script.edit("c"))))
        keeper.lookAfter()
        #expect(store.journal.isFailing)
        faulty_vfs_heal(disk.number)
        keeper.start()
        isWell.wait()
        #expect(!store.journal.isFailing)
        #expect(!isRefused(store.submit(script.edit("c"))))
        keeper.stop()
    }

    @Test func aFailureIsToldOnceAndSoIsItsEnd() throws {
        let disk = FaultyDisk()
        let store = try OpenStore(StoreFolder(), vfs: disk.name)
        let lines = Lines()
        let keeper = StoreKeeper(store.journal, committer: store.committer, log: lines.log)
        var script = EditScript(seed: 3)
        for round in 1...2 {
            faulty_vfs_fail_kind_at(disk.number, FAULTY_SYNC, faulty_vfs_calls_of(disk.number, FAULTY_SYNC) + 1, 1, 0)
            for _ in 0..<5 { #expect(isRefused(store.submit(script.edit("c", canRemove: false)))) }
            keeper.lookAfter()
            #expect(lines.count("nothing can be kept") == round)
            #expect(lines.all.count == 2 * round - 1)
            faulty_vfs_heal(disk.number)
            // An edit may find it out before the keeper does.
            #expect(!isRefused(store.submit(script.edit("c", canRemove: false))))
            keeper.lookAfter()
            #expect(lines.count("can be written again") == round)
            #expect(lines.all.count == 2 * round)
        }
    }

    @Test func aBatchThatTheTablesRefuseIsNoFailureOfTheStore() throws {
        let store = try OpenStore(StoreFolder())
        let lines = Lines()
        let failures = Mutex<[JournalError]>([])
        let keeper = StoreKeeper(store.journal, committer: store.committer, log: lines.log)
        let committer = Committer(
            library: store.library, journal: store.journal,
            onFailure: { error in failures.withLock { $0.append(error) } })
        var script = EditScript(seed: 4)
        store.submit(script.edit("c"))
        // The next record's place is taken.
        func move(_ step: Int) throws {
            try store.journal.perform {
                try $0.database.execute("UPDATE records SET sequence = sequence + \(step)")
            }
        }
        try move(1)
        committer.submit(script.edit("d")) { _ in }
        committer.waitUntilIdle()
        #expect(store.library.snapshot(of: "d") == nil)
        #expect(!store.journal.isFailing)
        #expect(failures.withLock { $0.map(\.isOfStore) } == [false])
        try move(-1)
        committer.submit(script.edit("d")) { _ in }
        committer.waitUntilIdle()
        #expect(store.library.snapshot(of: "d") != nil)
        keeper.lookAfter()
        #expect(lines.all == [])
    }

    @Test func aCheckpointThatADiskHasNoRoomForLeavesTheRoomToEdits() throws {
        let disk = FaultyDisk()
        let (clock, lines) = (ManualClock(), Lines())
        let store = try OpenStore(StoreFolder(), vfs: disk.name, now: clock.now)
        var script = EditScript(seed: 5)
        store.submit(script.edit("c"))
        store.submit((0..<60).map { largeInsert($0, in: "c") })
        try store.journal.perform { try $0.truncateLog() }
        let keeper = StoreKeeper(
            store.journal, committer: store.committer, now: clock.now, monotonic: clock.monotonic, log: lines.log)
        // Less than its pieces take; an edit takes a small part of it.
        faulty_vfs_set_room(disk.number, 1_000_000)
        keeper.takeDueCheckpoints()
        #expect(lines.count("the checkpoint failed") == 1)
        #expect(try number(Self.garbage, store) == 0)
        for _ in 0..<20 { #expect(!isRefused(store.submit(script.edit("small", canRemove: false)))) }
        // It is due, but not at once, and each time less soon.
        for (pause, attempts) in [(0.0, 1), (3.5, 1), (1, 2), (4.5, 2), (4, 3)] {
            clock.advance(seconds: pause)
            let calls = disk.calls
            keeper.takeDueCheckpoints()
            #expect(lines.count("the checkpoint failed") == attempts)
            #expect((disk.calls > calls) == (pause == 1 || pause == 4))
        }
        faulty_vfs_heal(disk.number)
        clock.advance(seconds: 600)
        keeper.lookAfter()
        #expect(lines.count("the checkpoint failed") == 3)
        #expect(try number(Self.garbage, store) == 0)
        #expect(try number("SELECT count(*) FROM checkpoints WHERE collection = 'c'", store) == 1)
        #expect(try store.journal.perform { $0.due } == [])
    }

    @Test func theEndDoesNotWaitForEverForWhatHangs() throws {
        let store = try OpenStore(StoreFolder())
        let (entered, release) = (Gate(), Gate())
        let looks = Atomic(0)
        let keeper = StoreKeeper(
            store.journal, committer: store.committer,
            now: {
                // It is asked once at first, then amid the work.
                if looks.add(1, ordering: .relaxed).oldValue > 0 {
                    entered.open()
                    release.wait()
                }
                return 1_000_000_000_000
            })
        keeper.start()
        entered.wait()
        #expect(!keeper.stop(within: 0.01))
        release.open()
        #expect(keeper.stop(within: 600))
    }

    @Test func theLogIsCutOffOnceNoReaderHoldsIt() throws {
        let folder = StoreFolder()
        let store = try OpenStore(folder)
        let keeper = StoreKeeper(
            store.journal, committer: store.committer, now: { 1_000_000_000_000 }, logByteLimit: 500_000)
        var script = EditScript(seed: 6)
        store.submit(script.edit("c"))
        func logSize() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.databasePath + "-wal")
            return (attributes[.size] as? NSNumber)?.intValue ?? 0
        }
        let reader = try Database(path: folder.databasePath, access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM records")
        store.submit((0..<20).map { largeInsert($0, in: "c") })
        keeper.lookAfter()
        #expect(try logSize() > 500_000)
        #expect(!isRefused(store.submit(script.edit("c", canRemove: false))))
        #expect(try reader.integer("SELECT count(*) FROM records") == 1)
        try reader.execute("COMMIT")
        keeper.lookAfter()
        #expect(try logSize() == 0)
        // Locks are waited for as before.
        #expect(try number("PRAGMA busy_timeout", store) == Int64(StoreConnection.busyMilliseconds))
    }
}
