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
