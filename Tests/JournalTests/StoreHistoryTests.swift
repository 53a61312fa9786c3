import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

/// What is forgotten, when, and when not.
@Suite struct StoreHistoryTests {
    private func keeper(
        of store: OpenStore, _ clock: ManualClock, _ history: StoreKeeper.History = StoreKeeper.History(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> StoreKeeper {
        StoreKeeper(
            store.journal, committer: store.committer, history: history, now: clock.now, monotonic: clock.monotonic,
            log: log)
    }

    private func count(_ table: String, _ store: OpenStore) throws -> Int64 {
        try store.journal.perform { try $0.database.integer("SELECT count(*) FROM \(table)") } ?? -1
    }

    @Test func oldRecordsAndDeletionsGoAndClientsAreTold() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 11)
        let store = try OpenStore(folder, now: clock.now)
        var history = StoreKeeper.History()
        history.deletions = 5
        let keeper = keeper(of: store, clock, history)
        for _ in 0..<200 { store.submit(script.edit("c", canRemove: false)) }
        let old = try #require(store.library.snapshot(of: "c"))
        try #require(old.keptDeletionCount > 20)
        clock.advance(days: 20)
        for _ in 0..<200 { store.submit(script.edit("c", canRemove: false)) }
        clock.advance(days: 11)
        let keptBefore = store.library.snapshot(of: "c")?.keptDeletionCount ?? 0

        try keeper.workOff()
        let snapshot = try #require(store.library.snapshot(of: "c"))
        #expect((2...old.revision.number).contains(snapshot.oldestKnownNumber))
        #expect(snapshot.keptDeletionCount < keptBefore - 15)
        guard case .changes? = snapshot.changes(since: old.revision.number) else {
            Issue.record("what is younger than the history was forgotten")
            return
        }
        let oldest = try store.journal.perform { try $0.database.integer("SELECT min(number) FROM records") }
        #expect(oldest == Int64(old.revision.number) + 1)
        // The young ones stay although they are more than five.
        #expect(snapshot.keptDeletionCount > 5)
        clock.advance(days: 31)
        try keeper.workOff()
        #expect(store.library.snapshot(of: "c")?.keptDeletionCount == 5)
        #expect(try store.journal.perform { try $0.database.integer("SELECT count(*) FROM records") } == 0)
        let expected = store.histories
        try store.journal.close()
        // The checkpoint is from before the deletions were forgotten; they are again.
        let again = try OpenStore(folder, now: clock.now)
        try self.keeper(of: again, clock, history).workOff()
        #expect(again.histories == expected)
    }

    @Test func spaceComesBack() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        let store = try OpenStore(folder, now: clock.now)
        let keeper = keeper(of: store, clock)
        var script = EditScript(seed: 1)
        store.submit(script.edit("big"))
        store.submit((0..<400).map { largeInsert($0, in: "big") })
        try keeper.workOff()
        store.submit(Edit(collection: "big") { _ in .remove(Answer(status: 204)) })
        func size() throws -> Int64 {
            try store.journal.perform { connection in
                try connection.truncateLog()
                return try connection.database.integer("PRAGMA page_count") ?? 0
            }
        }
        let before = try size()
        clock.advance(days: 40)
        try keeper.workOff()
        let after = try size()
        #expect(after < before / 4, "\(before) pages before, \(after) after")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.databasePath)
        let bytes = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        #expect(bytes == after * 4096)
    }

    // MARK: Answers

    @Test func answersAreForgottenWhenTheyAreOldAndNotBefore() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 7)
        let edits = (0..<2).map { script.edit("c", key: "key \($0)", canRemove: false) }
        try OpenStore(folder, now: clock.now).submit(edits[0])
        clock.advance(days: 0.9)
        try OpenStore(folder, now: clock.now).submit(edits[1])
        let store = try OpenStore(folder, now: clock.now)
        #expect(store.recovered.answers.map(\.key.value) == ["key 0", "key 1"])
        // Half a day is always left to it.
        #expect(store.recovered.answers.map(\.age) == [AnswerTable.lifetime / 2, 0])
        let keeper = keeper(of: store, clock)
        clock.advance(days: 1)
        try keeper.workOff()
        #expect(try count("answers", store) == 2)
        clock.advance(days: 0.2)
        try keeper.workOff()
        #expect(try count("answers", store) == 1)
    }

    @Test func theMemoryThatAnswersTakeIsBoundedByAllThatTheyHold() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 7)
        let store = try OpenStore(folder)
        store.submit((0..<40).map { script.edit("c", key: "key \($0)", canRemove: false) })
        func recovered(_ byteCount: Int) throws -> [KeptAnswer] {
            try store.journal.perform { connection in
                var recovery = StoreRecovery(connection.database, path: "", keptDeletions: 10)
                recovery.answerBytes = byteCount
                return try recovery.answers(now: 0)
            }
        }
        let all = try recovered(1 << 20)
        try #require(all.count > 20)
        // The bodies have a few bytes, all that is kept with them hundreds.
        let some = try recovered(2_000)
        #expect((2...7).contains(some.count))
        #expect(some.map(\.key.value) == all.suffix(some.count).map(\.key.value))
        #expect(try recovered(1).map(\.key.value) == all.suffix(1).map(\.key.value))
    }

    // MARK: Clocks

    @Test func aClockThatGoesBackLeavesNoGapInTheHistory() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 12)
        do {
            let store = try OpenStore(folder, now: clock.now)
            for number in 0..<20 { store.submit(script.edit("c", key: "a\(number)", canRemove: false)) }
            clock.jump(days: 40)
            for number in 0..<20 { store.submit(script.edit("c", key: "b\(number)", canRemove: false)) }
            clock.jump(days: -40)
            for _ in 0..<20 { store.submit(script.edit("c", canRemove: false)) }
        }
        let store = try OpenStore(folder, now: clock.now)
        for _ in 0..<20 { store.submit(script.edit("c", canRemove: false)) }
        let keeper = keeper(of: store, clock)
        clock.advance(days: 31)
        for _ in 0..<20 { store.submit(script.edit("c", canRemove: false)) }
        let before = try count("records", store)
        try keeper.workOff()
        let after = try count("records", store)
        #expect((1..<before).contains(after))
        let backwards = try store.journal.perform {
            try $0.database.integer(
                "SELECT count(*) FROM records AS a JOIN records AS b ON a.sequence < b.sequence AND a.time > b.time")
        }
        #expect(backwards == 0)
        let span = try store.journal.perform {
            try $0.database.integer("SELECT max(number) - min(number) + 1 FROM records")
        }
        #expect(span == after)
        try store.journal.close()
        #expect(try StoreCheck.run(folder.path).damages == [])
    }

    @Test func aClockThatJumpsAheadDeletesNothingUntilItHasHeldForADay() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        let lines = Lines()
        var script = EditScript(seed: 13)
        let store = try OpenStore(folder, now: clock.now)
        for number in 0..<20 { store.submit(script.edit("c", key: "k\(number)", canRemove: false)) }
        let keeper = keeper(of: store, clock, log: lines.log)
        let (records, answers) = (try count("records", store), try count("answers", store))
        func expectAll(_ comment: Comment) throws {
            try keeper.workOff()
            #expect(try count("records", store) == records, comment)
            #expect(try count("answers", store) == answers, comment)
        }
        clock.jump(days: 40)
        try expectAll("a jump")
        clock.advance(days: 0.5)
        try expectAll("half a day after it")
        #expect(lines.count("960 hours ahead") == 1)
        clock.jump(days: -40)
        try expectAll("put right")
        clock.jump(days: 400)
        try expectAll("another jump")
        #expect(lines.count("hours ahead") == 2)
        clock.advance(days: 0.9)
        try expectAll("soon a day after it")
        clock.advance(days: 0.2)
        try keeper.workOff()
        #expect(try count("records", store) == 0)
        #expect(try count("answers", store) == 0)
    }

    @Test func aStoreThatRestedWaitsForADayOrAnEditBeforeItForgets() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 14)
        do {
            let store = try OpenStore(folder, now: clock.now)
            for _ in 0..<20 { store.submit(script.edit("c", canRemove: false)) }
        }
        clock.jump(days: 40)
        do {
            let store = try OpenStore(folder, now: clock.now)
            let before = try count("records", store)
            try keeper(of: store, clock).workOff()
            #expect(try count("records", store) == before)
            store.submit((0..<5).map { _ in script.edit("c", canRemove: false) })
        }
        let store = try OpenStore(folder, now: clock.now)
        try keeper(of: store, clock).workOff()
        #expect((1...5).contains(try count("records", store)))
    }

    // MARK: Costs

    @Test func aLargeCheckpointIsNotWrittenAnewForAFewOldRecords() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 15)
        let store = try OpenStore(folder, now: clock.now)
        for _ in 0..<5 { store.submit(script.edit("c", canRemove: false)) }
        let hour: Int64 = 3_600_000
        func isRequired(checkpoint byteCount: Int, before time: Int64) throws -> Bool {
            try store.journal.perform { connection in
                connection.due = []
                connection.tails["c"]?.checkpointBytes = byteCount
                connection.requireCheckpoints(before: time)
                return connection.due.contains("c")
            }
        }
        let time = clock.now()
        #expect(try !isRequired(checkpoint: 100 << 20, before: time + hour))
        #expect(try isRequired(checkpoint: 100 << 20, before: time + 25 * hour))
        #expect(try isRequired(checkpoint: 1 << 20, before: time + hour))
        #expect(try !isRequired(checkpoint: 1 << 20, before: time))
        try store.journal.perform { $0.tails["c"]?.uncoveredBytes = 2 << 20 }
        #expect(try isRequired(checkpoint: 100 << 20, before: time + hour))
    }

    @Test func manyDeletionsAreForgottenInSteps() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        var script = EditScript(seed: 16)
        let store = try OpenStore(folder, now: clock.now)
        var history = StoreKeeper.History()
        history.deletions = 7
        let keeper = keeper(of: store, clock, history)
        store.submit(script.edit("c"))
        let items = (0..<2 * StoreKeeper.deletionsAtOnce).map { number in
            ItemContent(id: ItemID("n\(number)"), type: ItemType("music"), liked: nil, model: .titled("x"))
        }
        for change in [Change(.insert(items, at: .first(in: "s1"))), Change(.deleteAll)] {
            store.submit(
                Edit(collection: "c") { snapshot in
                    (try? snapshot?.applying([change])).map { .publish($0, Answer(status: 200)) }
                        ?? .keep(Answer(status: 409))
                })
        }
        try #require(store.library.snapshot(of: "c")?.keptDeletionCount ?? 0 > 2 * StoreKeeper.deletionsAtOnce)
        clock.advance(days: 31)
        try keeper.workOff()
        #expect(store.library.snapshot(of: "c")?.keptDeletionCount == 7)
        #expect(try store.journal.perform { $0.tails["c"]?.snapshot.keptDeletionCount } == 7)
    }

    @Test func aCheckpointFindsRoomInWhatTheOneBeforeReplaced() throws {
        let folder = StoreFolder()
        let clock = ManualClock()
        let store = try OpenStore(folder, now: clock.now)
        let collections = (0..<8).map { "c\($0)" }
        func edit(_ collection: String, _ operation: Change.Operation) -> Edit {
            Edit(collection: collection) { snapshot in
                let next = try? snapshot?.applying([Change(operation)])
                return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
            }
        }
        let item = ItemContent(
            id: ItemID("big"), type: ItemType("music"), liked: nil,
            model: .titled(String(repeating: "x", count: 200_000)))
        var script = EditScript(seed: 1)
        store.submit(collections.map { script.edit($0) })
        store.submit(collections.map { edit($0, .insert([item], at: .first(in: "s1"))) })
        try store.journal.perform { $0.due.formUnion(collections) }
        try keeper(of: store, clock).workOff()
        // All are replaced in one go, as under steady edits, when the next is due before the last is written.
        store.submit(collections.map { edit($0, .toggleLiked([item.id])) })
        try store.journal.perform { $0.due.formUnion(collections) }
        try keeper(of: store, clock).workOff()
        let (free, largest) = try store.journal.perform { connection in
            (
                try connection.database.integer("PRAGMA freelist_count") ?? .max,
                try connection.database.integer("SELECT max(bytes) FROM checkpoints") ?? 0
            )
        }
        #expect(largest > 200_000)
        #expect(free * 4096 < 3 * largest, "\(free) pages are free")
    }
}
