import JSONText
import Testing

@testable import MedleyCore

/// What an edit comes to is compared before and after.
@Suite struct NetEffectTests {
    private let base: Snapshot

    init() throws { base = try Build.snapshot(["s": ["a", "b", "c", "d"], "t": ["x"], "u": []]) }

    static let nothing: [[Change.Operation]] = [
        [],
        [.setLiked(["a"], false)],
        [.setLiked(["a"], true), .setLiked(["a"], false)],
        [.toggleLiked(["a", "b"]), .toggleLiked(["b"]), .toggleLiked(["a"])],
        [.move(["b"], to: .after("a", section: nil))],
        [.move(["a", "b", "c", "d"], to: .first(in: "s"))],
        [.move(["a"], to: .last(in: "t")), .move(["a"], to: .first(in: "s"))],
        [.move(["c"], to: .first(in: nil)), .move(["a", "b"], to: .first(in: "s"))],
        [.reorder("s", ["d", "c", "b", "a"]), .reorder("s", ["a", "b", "c", "d"])],
        [.insert([Build.item("n")], at: .last(in: nil)), .delete(["n"])],
        [.delete(["b"]), .insert([Build.item("b")], at: .after("a", section: nil))],
        [.update([Build.item("a")])],
        [.merge(["a"], ItemPatch(model: JSONMergePatch(members: [])))],
        [.upsert([Build.item("a")], at: nil)],
        [.insertSection([Build.section("n")], at: .last), .deleteSection(["n"])],
        [.moveSection(["t"], to: .after("s"))],
        [.moveSection(["t"], to: .first), .moveSection(["s"], to: .first)],
        [.updateSection([Build.section("t")])],
        [.deleteSection(["u"]), .insertSection([Build.section("u")], at: .last)],
        [.delete([]), .move([], to: .first(in: nil)), .insert([], at: .after("nobody", section: nil))],
        [.updateCollection(JSONMergePatch(members: []))],
    ]

    @Test("An edit that comes to nothing makes no revision", arguments: nothing.indices)
    func noRevision(index: Int) throws {
        let after = try base.applying(Self.nothing[index].map { Change($0) })
        #expect(after.revision == base.revision, "\(Self.nothing[index])")
        #expect(after.list(since: base.revision.number) == [])
    }

    /// JSON objects are unordered, so whoever states the members in another order changes nothing.
    @Test func membersInAnotherOrderAreNoChange() throws {
        let known = Build.item("n", #""a":1,"b":2"#, liked: true)
        let turned = Build.item("n", #""b":2,"a":1"#)
        let section = SectionContent(id: "u", members: Build.members(#""title":"U","x":1"#))
        let before = try base.after(.insert([known], at: .first(in: "s")), .updateSection([section]))
        let edits: [[Change.Operation]] = [
            [.update([turned])], [.upsert([turned], at: nil)], [.upsert([turned], at: .first(in: "s"))],
            [.updateSection([SectionContent(id: "u", members: Build.members(#""x":1,"title":"U""#))])],
        ]
        for edit in edits {
            let after = try before.applying(edit.map { Change($0) })
            #expect(after.revision == before.revision, "\(edit)")
            #expect(after.item("n")?.model == known.model)
        }
        // What else an edit says still counts, and the order stays.
        let moved = try before.after(.upsert([turned], at: .last(in: "t")), .setLiked(["n"], false))
        #expect(
            moved.list(since: before.revision.number) == [
                .move(["n"], to: .after("x", section: nil)),
                .update([Build.item("n", #""a":1,"b":2"#, liked: false)]),
            ])
        #expect(moved.encodedByteCount == before.encodedByteCount + 1)
        let edited = try before.after(.update([Build.item("n", #""b":2,"a":3"#)]))
        #expect(edited.item("n")?.model == Build.members(#""b":2,"a":3"#))
    }

    @Test func aPutWithMembersInAnotherOrderIsNoChange() throws {
        func content(_ own: String, _ section: String, _ model: String) -> SnapshotContent {
            SnapshotContent(
                members: Build.members(own),
                sections: [
                    .init(
                        content: SectionContent(id: "s", members: Build.members(section)),
                        items: [Build.item("a", model, liked: false)])
                ])
        }
        let before = try Snapshot(
            lineage: "l", content: content(#""title":"T","x":1,"y":2"#, #""title":"S","z":3"#, #""a":1,"b":2"#))
        let turned = content(#""y":2,"title":"T","x":1"#, #""z":3,"title":"S""#, #""b":2,"a":1"#)
        #expect(try before.replacing(with: turned).revision == before.revision)
    }

    /// A client that is told what to hold takes it to the byte, or its copy would differ from the server's.
    @Test func aReplicaTakesOverTheOrderThatItIsTold() throws {
        let first = try base.after(.update([Build.item("a", #""a":1,"b":2"#)]))
        let last = try first.after(.update([Build.item("a")])).after(.update([Build.item("a", #""b":2,"a":1"#)]))
        var replica = Replica(first)
        guard case .changes(let changes)? = last.changes(since: first.revision.number) else {
            Issue.record("no changes")
            return
        }
        try replica.apply(changes, to: last.revision)
        #expect(replica.snapshot.item("a")?.model == Build.members(#""b":2,"a":1"#))
    }

    @Test func onlyWhatDiffersIsListed() throws {
        let after = try base.after(
            .toggleLiked(["a", "b"]), .toggleLiked(["a"]), .move(["d"], to: .first(in: "t")),
            .move(["c"], to: .first(in: "s")),
            .move(["c"], to: .after("b", section: nil)))
        #expect(after.revision.number == 2)
        #expect(
            after.list(since: 1) == [
                .move(["d"], to: .first(in: "t")), .update([Build.item("b", liked: true)]),
            ])
    }

    @Test func aDragIsOneMoveHoweverFar() throws {
        let ids = (0..<1000).map { ItemID("i\($0)") }
        let long = try Build.snapshot(["s": ids])
        #expect(
            try long.after(.move(["i0"], to: .last(in: nil))).list(since: 1) == [
                .move(["i0"], to: .after("i999", section: nil))
            ])
        #expect(
            try long.after(.reorder("s", Array(ids.dropFirst()) + [ids[0]])).list(since: 1) == [
                .move(["i0"], to: .after("i999", section: nil))
            ])
    }

    @Test("An id alive in [1,3) and since 4 is deleted and inserted for a client at 2, inserted for one at 3")
    func intervalsOfExistence() throws {
        let deleted = try base.after(.toggleLiked(["x"])).after(.delete(["b"]))
        let again = try deleted.after(.insert([Build.item("b", "\"n\":1")], at: .first(in: "s")))
        let insert = Change.Operation.insert([Build.item("b", "\"n\":1", liked: false)], at: .first(in: "s"))
        #expect(again.list(since: 3) == [insert])
        #expect(again.list(since: 2) == [.delete(["b"]), insert])
        let gone = try again.after(.delete(["b"]))
        #expect(gone.list(since: 3) == [])
        #expect(gone.list(since: 2) == [.delete(["b"])])
    }

    @Test func aSectionMadeAnewIsMovedAndUpdatedAndItsOldItemsAreDeleted() throws {
        let after = try base.after(.deleteSection(["s"])).after(
            .insertSection([SectionContent(id: "s", members: Build.members("\"title\":\"new\""))], at: .last))
        #expect(
            after.list(since: 1) == [
                .delete(["a", "b", "c", "d"]), .moveSection(["s"], to: .after("u")),
                .updateSection([SectionContent(id: "s", members: Build.members("\"title\":\"new\""))]),
            ])
        #expect(
            after.list(since: 2) == [
                .insertSection([SectionContent(id: "s", members: Build.members("\"title\":\"new\""))], at: .after("u"))
            ])
    }

    @Test func aSectionMadeAnewInOneEditIsTheSameSection() throws {
        let new = SectionContent(id: "s", members: Build.members("\"title\":\"new\""))
        let elsewhere = try base.after(.deleteSection(["s"]), .insertSection([new], at: .last))
        #expect(
            elsewhere.list(since: 1) == [
                .delete(["a", "b", "c", "d"]), .moveSection(["s"], to: .after("u")), .updateSection([new]),
            ])
        #expect(elsewhere.section("s")?.stamps == Stamps(created: 1, placed: 2, changed: 2))
        #expect(elsewhere.sectionDeletionCount == 0)

        let inPlace = try base.after(
            .deleteSection(["s"]), .insertSection([Build.section("s")], at: .first),
            .insert([Build.item("b")], at: .last(in: "s")))
        #expect(inPlace.list(since: 1) == [.delete(["a", "c", "d"])])
        #expect(inPlace.section("s")?.stamps == Stamps(new: 1))
    }

    @Test func deletionsThatAreForgottenRaiseTheFloor() throws {
        var snapshot = base
        for id in ["a", "b", "c"] as [ItemID] { snapshot = try snapshot.after(.delete([id])) }
        let kept = snapshot.keepingDeletions(atMost: 1)
        #expect(kept.keptDeletionCount == 1)
        #expect(kept.oldestKnownNumber == 3)
        #expect(kept.list(since: 2) == nil)
        #expect(kept.list(since: 3) == [.delete(["c"])])
        #expect(kept.list(since: 9) == nil)
    }
}
