import JSONText
import Testing

@testable import MedleyCore

/// A long random run of edits on one collection: PATCHes, and PUTs now and then.
struct EditChain {
    private var edits: RandomEdits
    /// The newest snapshot.
    var snapshot: Snapshot

    /// The first state: three sections of six items.
    init(seed: UInt64) throws {
        var edits = RandomEdits(seed: seed)
        let content = SnapshotContent(
            members: JSONMembers(trusted: Array("\"title\":\"T\",\"a\":{\"x\":1}".utf8)),
            sections: (1...3).map { number in
                SnapshotContent.Section(
                    content: SectionContent(
                        id: SectionID("s\(number)"), members: JSONMembers(trusted: Array("\"title\":\"\"".utf8))),
                    items: (0..<6).map { edits.content(ItemID("p\(number).\($0)")) })
            })
        snapshot = try Snapshot(lineage: "t", content: content)
        self.edits = edits
    }

    /// Whether something that happens `percent` times in a hundred does.
    mutating func chance(_ percent: Int) -> Bool { edits.generator.chance(percent) }

    /// Carries out edits until one makes a revision, and returns it.
    mutating func edit() throws -> Snapshot {
        let before = snapshot
        while snapshot.revision == before.revision { snapshot = try randomEdit()(snapshot) }
        return snapshot
    }

    /// A random edit that the newest snapshot allows.
    mutating func randomEdit() -> (Snapshot) throws -> Snapshot {
        let oracle = NaiveCollection(snapshot)
        if chance(15) {
            let content = edits.replacement(of: oracle)
            return { try $0.replacing(with: content) }
        }
        let changes = edits.request(on: oracle)
        return { try $0.applying(changes) }
    }
}

/// Expects that two snapshots tell the same changes since every revision, known or not.
func expectSameHistory(_ left: Snapshot, _ right: Snapshot, _ comment: Comment? = nil) {
    #expect(left.revision == right.revision, comment)
    #expect(left.oldestKnownNumber == right.oldestKnownNumber, comment)
    #expect(left.encodedByteCount == right.encodedByteCount, comment)
    #expect(left.changesFromNothing() == right.changesFromNothing(), comment)
    for number in left.oldestKnownNumber...left.revision.number {
        let (one, other) = (left.list(since: number), right.list(since: number))
        #expect(one == other, "since \(number) of \(left.revision.number)")
        #expect(one != nil)
    }
    #expect(right.list(since: left.oldestKnownNumber - 1) == nil)
}
