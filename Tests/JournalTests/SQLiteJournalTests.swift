import Foundation
import MedleyCore
import SQLite
import Testing

@testable import Journal

@Suite struct SQLiteJournalTests {
    private static let seed = UInt64.random(in: 1...999_999)

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
}
