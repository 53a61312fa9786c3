import JSONText
import MedleyCore
import Synchronization
import Testing

@testable import Journal

@Suite struct CommitterTests {
    /// A journal that notes what it keeps, and fails or waits when it is told to.
    private final class ProbeJournal: Journal {
        let batches = Mutex<[[JournalRecord]]>([])
        let fails = Mutex(false)
        /// Called before a batch is kept.
        let onAppend = Mutex<(@Sendable () -> Void)?>(nil)

        func append(_ records: [JournalRecord]) throws(JournalError) {
            onAppend.withLock { $0 }?()
            if fails.withLock({ $0 }) { throw JournalError("disk full") }
            batches.withLock { $0.append(records) }
        }
    }

    private let library = Library()
    private let journal = ProbeJournal()
    private var committer: Committer { Committer(library: library, journal: journal, now: { 0 }) }

    private static let empty = SnapshotContent(members: .empty, sections: [])

    /// An edit that makes a collection, or adds a section to it.
    private func edit(_ collection: String = "c", section: String, key: IdempotencyKey? = nil) -> Edit {
        Edit(collection: collection, key: key) { snapshot in
            do {
                guard let snapshot else {
                    return .publish(
                        try Snapshot(lineage: "l", content: Self.empty), Answer(status: 201, body: Array("new".utf8)))
                }
                let content = SectionContent(id: SectionID(section), members: .empty)
                let next = try snapshot.applying([Change(.insertSection([content], at: .last))])
                return .publish(next, Answer(status: 200, body: Array(section.utf8)))
            } catch {
                return .keep(Answer(status: 409))
            }
        }
    }

    private func submit(_ committer: Committer, _ edits: [Edit]) -> [EditResult] {
        let results = Mutex([EditResult?](repeating: nil, count: edits.count))
        for (index, edit) in edits.enumerated() {
            committer.submit(edit) { result in results.withLock { $0[index] = result } }
        }
        committer.waitUntilIdle()
        return results.withLock { $0 }.compactMap { $0 }
    }

    private func status(_ result: EditResult) -> Int? {
        if case .answered(let answer, _) = result { answer.status } else { nil }
    }

    @Test func editsApplyInOrderEachSeeingTheOneBefore() {
        let results = submit(
            committer, [edit(section: ""), edit(section: "a"), edit(section: "b"), edit(section: "a")])
        #expect(results.map(status) == [201, 200, 200, 409])
        let snapshot = library.snapshot(of: "c")
        #expect(snapshot?.orderedSections.map(\.id) == ["a", "b"])
        #expect(snapshot?.revision.number == 3)
    }

    @Test func nothingIsSeenBeforeItIsKept() {
        let committer = committer
        let library = library
        let seen = Mutex<[UInt64?]>([])
        journal.onAppend.withLock {
            $0 = { seen.withLock { $0.append(library.snapshot(of: "c")?.revision.number) } }
        }
        _ = submit(committer, [edit(section: "")])
        _ = submit(committer, [edit(section: "a")])
        #expect(seen.withLock { $0 } == [nil, 1])
        #expect(library.snapshot(of: "c")?.revision.number == 2)
    }

    @Test func whatTheJournalRefusesIsNotAppliedAndMayBeTriedAgain() {
        let committer = committer
        let key = IdempotencyKey(caller: "", value: "k", fingerprint: 1)
        _ = submit(committer, [edit(section: "")])
        journal.fails.withLock { $0 = true }
        guard case .storageFailed = submit(committer, [edit(section: "a", key: key)])[0] else {
            Issue.record("an edit that was not kept was answered")
            return
        }
        #expect(library.snapshot(of: "c")?.revision.number == 1)
        journal.fails.withLock { $0 = false }
        #expect(status(submit(committer, [edit(section: "a", key: key)])[0]) == 200)
        #expect(library.snapshot(of: "c")?.revision.number == 2)
    }

    @Test func aRefusalThatRestsOnWhatTheJournalRefusedIsTakenBackToo() {
        let committer = committer
        _ = submit(committer, [edit(section: "")])
        let (entered, release) = (Gate(), Gate())
        journal.onAppend.withLock {
            $0 = {
                entered.open()
                release.wait()
            }
        }
        // While this batch is held, the next is gathered: two edits for one section, and a refusal of another collection.
        committer.submit(edit(section: "held")) { _ in }
        entered.wait()
        let results = Mutex([EditResult?](repeating: nil, count: 3))
        let refusal = Edit(collection: "other") { _ in .keep(Answer(status: 404)) }
        for (index, edit) in [edit(section: "a"), edit(section: "a"), refusal].enumerated() {
            committer.submit(edit) { result in results.withLock { $0[index] = result } }
        }
        // The held batch is past this point, so only the next one fails.
        let journal = journal
        journal.onAppend.withLock { $0 = { journal.fails.withLock { $0 = true } } }
        release.open()
        committer.waitUntilIdle()
        let ended = results.withLock { $0 }
        guard case .storageFailed = ended[0], case .storageFailed = ended[1] else {
            Issue.record("an answer told of a state that was not kept: \(ended)")
            return
        }
        #expect(ended[2].flatMap(status) == 404)
    }

    @Test func editsThatWaitShareABatch() {
        let committer = committer
        let (entered, release) = (Gate(), Gate())
        journal.onAppend.withLock {
            $0 = {
                entered.open()
                release.wait()
            }
        }
        committer.submit(edit(section: "")) { _ in }
        entered.wait()
        for number in 0..<10 { committer.submit(edit(section: "s\(number)")) { _ in } }
        release.open()
        committer.waitUntilIdle()
        #expect(journal.batches.withLock { $0.map(\.count) } == [1, 10])
        #expect(committer.statistics.batches == 2)
        #expect(committer.statistics.committedEdits == 11)
    }

    @Test func aKeyGivesTheFirstAnswerAndHasNoSecondEffect() {
        let committer = committer
        let key = IdempotencyKey(caller: "me", value: "k", fingerprint: 1)
        _ = submit(committer, [edit(section: "")])
        _ = submit(committer, [edit(section: "a", key: key)])
        guard case .answered(let answer, isReplayed: true) = submit(committer, [edit(section: "a", key: key)])[0] else {
            Issue.record("no replay")
            return
        }
        #expect(answer.body == Array("a".utf8))
        #expect(library.snapshot(of: "c")?.revision.number == 2)
        // Another caller's key of the same value, and another collection's, are other keys.
        let other = IdempotencyKey(caller: "you", value: "k", fingerprint: 1)
        #expect(status(submit(committer, [edit(section: "b", key: other)])[0]) == 200)
        #expect(status(submit(committer, [edit("d", section: "", key: key)])[0]) == 201)
    }

    @Test func aKeyWithAnotherRequestIsRefused() {
        let committer = committer
        _ = submit(committer, [edit(section: "")])
        _ = submit(committer, [edit(section: "a", key: IdempotencyKey(caller: "", value: "k", fingerprint: 1))])
        let again = edit(section: "b", key: IdempotencyKey(caller: "", value: "k", fingerprint: 2))
        guard case .keyReused = submit(committer, [again])[0] else {
            Issue.record("a key was used for two requests")
            return
        }
        #expect(library.snapshot(of: "c")?.orderedSections.map(\.id) == ["a"])
    }

    @Test func aKeyUnderWayIsRefusedAtOnceAndFreeAfterAFailure() {
        let committer = committer
        let key = IdempotencyKey(caller: "", value: "k", fingerprint: 1)
        let results = submit(committer, [edit(section: "")])
        #expect(results.map(status) == [201])
        let (entered, release) = (Gate(), Gate())
        journal.onAppend.withLock {
            $0 = {
                entered.open()
                release.wait()
            }
        }
        committer.submit(edit(section: "a", key: key)) { _ in }
        entered.wait()
        let second = Mutex<EditResult?>(nil)
        committer.submit(edit(section: "a", key: key)) { result in second.withLock { $0 = result } }
        guard case .keyInUse = second.withLock({ $0 }) else {
            Issue.record("the second request was not refused at once")
            release.open()
            return
        }
        release.open()
        committer.waitUntilIdle()
        // A failure is not kept: the section exists, so this is decided anew and refused anew.
        let refused = IdempotencyKey(caller: "", value: "r", fingerprint: 1)
        for _ in 0..<2 { #expect(status(submit(committer, [edit(section: "a", key: refused)])[0]) == 409) }
    }

    @Test func aClosedCommitterAnswersWhatWaitsAndTakesNoMore() {
        let committer = committer
        let first = Mutex<EditResult?>(nil)
        committer.submit(edit(section: "")) { result in first.withLock { $0 = result } }
        committer.close()
        #expect(first.withLock { $0 }.flatMap(status) == 201)
        guard case .shuttingDown = submit(committer, [edit(section: "a")])[0] else {
            Issue.record("an edit was taken after the close")
            return
        }
    }

    @Test func aCloseDoesNotWaitForAStuckEditForEver() {
        let committer = committer
        let (entered, release) = (Gate(), Gate())
        journal.onAppend.withLock {
            $0 = {
                entered.open()
                release.wait()
            }
        }
        committer.submit(edit(section: "")) { _ in }
        entered.wait()
        #expect(!committer.close(within: 0.01))
        release.open()
        #expect(committer.close(within: 60))
    }

    @Test func tooManyWaitingEditsAreRefused() {
        var limits = Committer.Limits()
        limits.waitingEdits = 3
        let committer = Committer(library: library, journal: journal, limits: limits, now: { 0 })
        let (entered, release) = (Gate(), Gate())
        journal.onAppend.withLock {
            $0 = {
                entered.open()
                release.wait()
            }
        }
        committer.submit(edit(section: "")) { _ in }
        entered.wait()
        let refused = Mutex(0)
        for number in 0..<5 {
            committer.submit(edit(section: "\(number)")) { result in
                if case .overloaded = result { refused.withLock { $0 += 1 } }
            }
        }
        release.open()
        committer.waitUntilIdle()
        #expect(refused.withLock { $0 } == 2)
    }

    @Test func deletionsAreKeptUpToTheLimit() throws {
        var limits = Committer.Limits()
        limits.keptDeletions = 5
        let committer = Committer(library: library, journal: journal, limits: limits, now: { 0 })
        var edits = [edit(section: "")]
        for number in 0..<8 {
            edits.append(edit(section: "s\(number)"))
            edits.append(
                Edit(collection: "c") { snapshot in
                    let next = snapshot.flatMap {
                        try? $0.applying([Change(.deleteSection([SectionID("s\(number)")]))])
                    }
                    return next.map { .publish($0, Answer(status: 200)) } ?? .keep(Answer(status: 404))
                })
        }
        _ = submit(committer, edits)
        let snapshot = try #require(library.snapshot(of: "c"))
        #expect(snapshot.keptDeletionCount == 5)
        // The third deletion, at revision 7, is the last one dropped.
        #expect(snapshot.oldestKnownNumber == 7)
        guard case .forgotten? = snapshot.changes(since: 6), case .changes? = snapshot.changes(since: 7) else {
            Issue.record("changes are told from the wrong revision on")
            return
        }
    }

    @Test func whatElseWantsATurnHasItUnderAnyLoad() {
        let committer = committer
        _ = submit(committer, [edit(section: "")])
        // Each edit's end hands in the next, so that some wait at all times.
        let most = 1_000_000
        let count = Atomic(0)
        let isEnough = Atomic(false)
        let nothing = Edit(collection: "other") { _ in .keep(Answer(status: 404)) }
        let ended = Gate()
        @Sendable func next(_: EditResult) {
            let number = count.add(1, ordering: .relaxed).newValue
            if number < most, !isEnough.load(ordering: .relaxed) {
                committer.submit(nothing, completion: next)
            } else {
                ended.open()
            }
        }
        committer.submit(nothing, completion: next)
        _ = committer.forgetDeletions(in: "c", through: 1, keeping: 0)
        isEnough.store(true, ordering: .relaxed)
        ended.wait()
        #expect(count.load(ordering: .relaxed) < most)
    }

    @Test func deletionsAreForgottenAFewAtATime() {
        let committer = committer
        _ = submit(committer, [edit(section: "")] + (0..<8).map { edit(section: "s\($0)") })
        let all = (0..<8).map { SectionID("s\($0)") }
        let removal = Edit(collection: "c") { snapshot in
            (try? snapshot?.applying([Change(.deleteSection(all))])).map { .publish($0, Answer(status: 200)) }
                ?? .keep(Answer(status: 409))
        }
        _ = submit(committer, [removal])
        func forget() -> Int? {
            committer.forgetDeletions(in: "c", through: .max, keeping: 1, atMost: 3)?.keptDeletionCount
        }
        #expect([forget(), forget(), forget(), forget()] == [5, 2, 1, nil])
        #expect(library.snapshot(of: "c")?.keptDeletionCount == 1)
    }
}
