import JSONText
import Testing

@testable import MedleyCore

/// What the journal keeps of an edit, its net changes, gives back the snapshot with its whole history.
@Suite struct ReplayingTests {
    @Test("Replaying each edit's net changes gives the same changes since every revision", arguments: 0..<4)
    func chain(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        var chain = try EditChain(seed: seed)
        var replayed = try Snapshot(lineage: "t", creating: chain.snapshot.changesFromNothing())
        expectSameHistory(chain.snapshot, replayed)
        for step in 1...200 {
            let before = chain.snapshot
            let next = try chain.edit()
            let net = try #require(next.netChanges(since: before.revision.number))
            replayed = try replayed.replaying(net)
            try replayed.checkInvariants()
            expectSameStamps(next, replayed)
            // As a server does: what is kept is bounded, after the net changes were taken.
            let limit = run.isMultiple(of: 2) ? .max : step.isMultiple(of: 40) ? 10 : 60
            chain.snapshot = next.keepingDeletions(atMost: limit)
            replayed = replayed.keepingDeletions(atMost: limit)
            // All pairs take long; the first run looks at them all.
            if run == 0 || step.isMultiple(of: 20) { expectSameHistory(chain.snapshot, replayed) }
        }
    }

    private func expectSameStamps(_ left: Snapshot, _ right: Snapshot) {
        for (one, other) in zip(left.orderedSections, right.orderedSections) {
            #expect(one.stamps == other.stamps, "section \(one.id)")
            for (item, same) in zip(one.items(), other.items()) {
                #expect(item.id == same.id)
                #expect(item.stamps == same.stamps, "item \(item.id)")
            }
        }
        #expect(left.memberHistory == right.memberHistory)
        #expect(left.memberRemovals == right.memberRemovals)
    }

    @Test func whatTheChangesNameIsStampedThoughItDoesNotDiffer() throws {
        let base = try Build.snapshot(["s": ["a", "b", "c"], "t": []])
        let next = try base.replaying(
            [
                .delete(["b"]), .moveSection(["t"], to: .after("s")),
                .insert([Build.item("b", liked: false)], at: .after("a", section: nil)),
                .move(["c"], to: .after("b", section: nil)), .updateSection([Build.section("s")]),
                .update([Build.item("a", liked: false)]),
            ].map { Change($0) })
        try next.checkInvariants()
        #expect(next.item("a")?.stamps == Stamps(created: 1, placed: 1, changed: 2))
        #expect(next.item("b")?.stamps == Stamps(new: 2))
        #expect(next.item("c")?.stamps == Stamps(created: 1, placed: 2, changed: 1))
        #expect(next.section("s")?.stamps == Stamps(created: 1, placed: 1, changed: 2))
        #expect(next.section("t")?.stamps == Stamps(created: 1, placed: 2, changed: 1))
        #expect(next.itemDeletions().map { [$0.created, $0.deleted] } == [[1, 2]])
    }

    @Test func anEmptyListIsARevisionAllTheSame() throws {
        let base = try Build.snapshot(["s": ["a"]])
        let next = try base.replaying([])
        #expect(next.revision.number == 2)
        #expect(next.list(since: 1) == [])
    }

    @Test func changesThatDoNotFitAreRefusedWithTheirPlace() throws {
        let base = try Build.snapshot(["s": ["a"]])
        #expect(throws: ChangeError(.itemNotFound, at: [.index(1), .member("ids"), .index(0)], subject: "b")) {
            try base.replaying([Change(.delete(["a"])), Change(.move(["b"], to: .first(in: "s")))])
        }
    }

    @Test("What was allowed once is replayed whatever the limits are now")
    func limits() throws {
        let base = try Build.snapshot(["s": []])
        let types = (0...Snapshot.maximumTypes).compactMap { ItemType("t\($0)") }
        let items = types.map { ItemContent(id: ItemID($0.name), type: $0, liked: nil, model: .empty) }
        let large = Build.members("\"m\":\"\(String(repeating: "x", count: Snapshot.maximumModelByteCount))\"")
        let changes = [
            Change(.insert(items, at: .last(in: nil))),
            Change(.update([ItemContent(id: "t0", type: nil, liked: nil, model: large)])),
            Change(
                .updateCollection(
                    JSONMergePatch(
                        members: (0...Snapshot.maximumMembers).map { number in
                            let name = Array("n\(number)".utf8)
                            return .init(nameText: [34] + name + [34], name: name, action: .set([0x31]))
                        }))),
        ]
        for index in changes.indices where index != 1 {
            #expect(throws: ChangeError.self) { try base.applying([changes[index]]) }
        }
        let next = try base.replaying(changes)
        try next.checkInvariants()
        #expect(next.stores.count == types.count)
        #expect(next.item("t0")?.model == large)
    }

    @Test("Old deletions are forgotten up to a revision while more than the least are kept", arguments: 0..<4)
    func forgetting(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ 100 &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        var chain = try EditChain(seed: seed)
        for _ in 0..<60 { _ = try chain.edit() }
        let all = chain.snapshot
        let count = all.keptDeletionCount
        #expect(count > 10)
        for number in [0, 1, 20, 40, 61] as [UInt64] {
            for least in [0, 3, count - 1, count, count + 5] {
                let kept = all.forgettingDeletions(through: number, keeping: least)
                try kept.checkInvariants()
                #expect(kept.keptDeletionCount >= min(least, count))
                let revisions = kept.itemDeletions().map(\.deleted) + kept.sectionDeletions().map(\.deleted)
                #expect(kept.keptDeletionCount <= least || revisions.allSatisfy { $0 > number })
                #expect(kept.oldestKnownNumber <= max(1, number))
                #expect(kept.keptDeletionCount < count || kept.oldestKnownNumber == 1)
                for known in kept.oldestKnownNumber...all.revision.number {
                    #expect(kept.list(since: known) == all.list(since: known))
                }
                #expect(kept.list(since: kept.oldestKnownNumber - 1) == nil)
            }
        }
    }

    @Test func aContinuationKnowsNoEarlierRevision() throws {
        print("MEDLEY_SEED=\(SeededGenerator.seed)")
        var chain = try EditChain(seed: SeededGenerator.seed)
        for _ in 0..<60 { _ = try chain.edit() }
        let before = chain.snapshot
        let after = before.continuing(in: "other")
        try after.checkInvariants()
        #expect(after.revision == Revision(lineage: "other", number: before.revision.number))
        #expect(NaiveCollection(after) == NaiveCollection(before))
        #expect(after.keptDeletionCount == 0)
        #expect(after.memberRemovals.isEmpty)
        #expect(after.list(since: before.revision.number) == [])
        #expect(after.list(since: before.revision.number - 1) == nil)
        let edit = chain.randomEdit()
        #expect(try edit(after).list(since: before.revision.number) == edit(before).list(since: before.revision.number))
    }
}

extension Snapshot {
    /// The changes since a revision number; `nil` if they cannot be told.
    func netChanges(since number: UInt64) -> [Change]? {
        guard case .changes(let changes)? = changes(since: number) else { return nil }
        return changes
    }
}
