import Foundation
import MedleyCore
import SQLite
import Synchronization
import Testing

@testable import Journal

@Suite struct SQLiteJournalTests {
    private static let seed = UInt64.random(in: 1...999_999)

    /// A number that tests set: the time.
    private final class Clock: Sendable {
        let time = Atomic<Int64>(1_000_000_000_000)
        var now: @Sendable () -> Int64 { { self.time.load(ordering: .relaxed) } }
        func advance(days: Double) { time.add(Int64(days * 86_400_000), ordering: .relaxed) }
    }

    @Test func whatWasCommittedComesBackWithItsWholeHistory() throws {
        print("seed \(Self.seed)")
        let folder = StoreFolder()
        var script = EditScript(seed: Self.seed)
        var expected: [String: [String]] = [:]
        for round in 0..<6 {
            let store = try OpenStore(folder)
            #expect(store.histories == expected, "round \(round)")
            for _ in 0..<60 { store.submit((0..<4).map { script.edit("c\($0)") }) }
            // In some rounds a part of it comes from checkpoints.
            if round % 2 == 1 { try keeper(of: store, due: round == 1 ? ["c0", "c2"] : ["c1", "c2"]).workOff() }
            for _ in 0..<10 { store.submit((0..<4).map { script.edit("c\($0)") }) }
            for (_, snapshot) in store.library.all() { try snapshot.checkInvariants() }
            expected = store.histories
            try store.journal.close()
        }
        #expect(!expected.isEmpty)
    }

    @Test func anEditMayDeleteMoreThanIsKept() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 2)
        var expected: [String: [String]] = [:]
        do {
            let store = try OpenStore(folder, keptDeletions: 3)
            for _ in 0..<40 { store.submit(script.edit("c", canRemove: false)) }
            let result = store.submit(
                Edit(collection: "c") { snapshot in
                    let next = try? snapshot?.applying([Change(.deleteAll)])
                    return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
                })
            guard case .answered(let answer, _) = result, answer.status == 200 else {
                Issue.record("the edit was refused: \(result)")
                return
            }
            expected = store.histories
            #expect(store.library.snapshot(of: "c")?.keptDeletionCount == 3)
        }
        #expect(try OpenStore(folder, keptDeletions: 3).histories == expected)
    }

    private func keeper(of store: OpenStore, due: [String] = []) throws -> StoreKeeper {
        try store.journal.perform { connection in connection.due.formUnion(due) }
        return StoreKeeper(store.journal, committer: store.committer, now: { 1_000_000_000_000 })
    }

    @Test func aKeyGivesTheFirstAnswerAfterARestartToo() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 7)
        let edits = (0..<40).map { script.edit("c", key: "key \($0)", canRemove: false) }
        var first: [Answer] = []
        do {
            let store = try OpenStore(folder)
            for case .answered(let answer, let isReplayed) in store.submit(edits) {
                #expect(!isReplayed)
                first.append(answer)
            }
        }
        let store = try OpenStore(folder)
        let revision = store.library.snapshot(of: "c")?.revision
        for (edit, answer) in zip(edits, first) where answer.isSuccess {
            guard case .answered(let again, isReplayed: true) = store.submit(edit) else {
                Issue.record("no replay")
                continue
            }
            #expect(again == answer)
        }
        #expect(store.library.snapshot(of: "c")?.revision == revision)
    }

    @Test func answersAreForgottenAfterADayAndNotBefore() throws {
        let folder = StoreFolder()
        let clock = Clock()
        var script = EditScript(seed: 7)
        let edits = (0..<3).map { script.edit("c", key: "key \($0)", canRemove: false) }
        try OpenStore(folder, now: clock.now).submit(edits[0])
        clock.advance(days: 0.9)
        try OpenStore(folder, now: clock.now).submit(edits[1])
        #expect(try OpenStore(folder, now: clock.now).recovered.answers.map(\.key.value) == ["key 0", "key 1"])
        clock.advance(days: 0.2)
        let store = try OpenStore(folder, now: clock.now)
        #expect(store.recovered.answers.map(\.key.value) == ["key 1"])
        let keeper = StoreKeeper(store.journal, committer: store.committer, now: clock.now)
        try keeper.workOff()
        #expect(try store.journal.perform { try $0.database.integer("SELECT count(*) FROM answers") } == 1)
    }

    @Test func aCollectionMadeAnewHasItsNewLineageAfterARestart() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 3)
        func remove() -> Edit { Edit(collection: "c") { _ in .remove(Answer(status: 204)) } }
        var lineages: [String?] = []
        do {
            let store = try OpenStore(folder)
            store.submit(script.edit("c"))
            lineages.append(store.library.snapshot(of: "c")?.revision.lineage)
            try keeper(of: store, due: ["c"]).workOff()
            store.submit(remove())
        }
        do {
            let store = try OpenStore(folder)
            #expect(store.library.snapshot(of: "c") == nil)
            // Deleted and made anew within one batch, and once more.
            store.submit([script.edit("c"), remove(), script.edit("c")])
            lineages.append(store.library.snapshot(of: "c")?.revision.lineage)
        }
        let store = try OpenStore(folder)
        lineages.append(store.library.snapshot(of: "c")?.revision.lineage)
        #expect(lineages[0] != lineages[1])
        #expect(lineages[1] == lineages[2])
        #expect(store.library.snapshot(of: "c")?.revision.number == 1)
    }

    @Test func aBatchIsOneTransaction() throws {
        let folder = StoreFolder()
        var script = EditScript(seed: 5)
        let store = try OpenStore(folder)
        let edits = (0..<50).map { _ in script.edit("c", canRemove: false) }
        store.submit(edits)
        let times = try store.journal.perform { try $0.database.integer("SELECT count(*) FROM records") } ?? 0
        #expect(times > 20)
        #expect(store.committer.statistics.batches <= UInt64(times))
    }

    @Test func aSecondProcessIsKeptOut() throws {
        let folder = StoreFolder()
        let store = try OpenStore(folder)
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.open(folder.path) }
        #expect(error?.message.contains(folder.path) == true)
        #expect(error?.message.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
        try store.journal.close()
    }

    @Test func theFolderIsFreeOnceTheStoreIsGone() throws {
        let folder = StoreFolder()
        for _ in 0..<3 { _ = try OpenStore(folder) }
    }

    // MARK: History

    @Test func oldRecordsAndDeletionsGoAndClientsAreTold() throws {
        let folder = StoreFolder()
        let clock = Clock()
        var script = EditScript(seed: 11)
        let store = try OpenStore(folder, now: clock.now)
        for _ in 0..<200 { store.submit(script.edit("c", canRemove: false)) }
        let old = try #require(store.library.snapshot(of: "c"))
        try #require(old.keptDeletionCount > 20)
        clock.advance(days: 20)
        for _ in 0..<200 { store.submit(script.edit("c", canRemove: false)) }
        clock.advance(days: 11)
        let keptBefore = store.library.snapshot(of: "c")?.keptDeletionCount ?? 0

        var history = StoreKeeper.History()
        history.deletions = 5
        let keeper = StoreKeeper(store.journal, committer: store.committer, history: history, now: clock.now)
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
        try StoreKeeper(again.journal, committer: again.committer, history: history, now: clock.now).workOff()
        #expect(again.histories == expected)
    }

    @Test func spaceComesBack() throws {
        let folder = StoreFolder()
        let store = try OpenStore(folder)
        let text = String(repeating: "x", count: 50_000)
        func insert(_ number: Int) -> Edit {
            Edit(collection: "big") { snapshot in
                let item = ItemContent(
                    id: ItemID("i\(number)"), type: ItemType("music"), liked: nil, model: .titled(text))
                let next = try? snapshot?.applying([Change(.insert([item], at: .first(in: "s1")))])
                return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
            }
        }
        var script = EditScript(seed: 1)
        store.submit(script.edit("big"))
        store.submit((0..<400).map(insert))
        try keeper(of: store).workOff()
        store.submit(Edit(collection: "big") { _ in .remove(Answer(status: 204)) })
        func size() throws -> Int64 {
            try store.journal.perform { connection in
                try connection.truncateLog()
                return try connection.database.integer("PRAGMA page_count") ?? 0
            }
        }
        let before = try size()
        let later = StoreKeeper(
            store.journal, committer: store.committer, now: { 1_000_000_000_000 + 40 * 86_400_000 })
        try later.workOff()
        let after = try size()
        #expect(after < before / 4, "\(before) pages before, \(after) after")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.databasePath)
        let bytes = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        #expect(bytes == after * 4096)
    }
}
