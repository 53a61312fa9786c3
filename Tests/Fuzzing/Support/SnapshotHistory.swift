package import MedleyCore
import MedleyJSON

/// A collection under edits, whose snapshots are checked against each other after each.
package struct SnapshotHistory {
    /// The newest snapshot.
    package private(set) var snapshot: Snapshot
    private var older: [Snapshot] = []

    /// Starts with a collection of a few items.
    package init() {
        let start = #"""
            {"title":"T","sections":[
            {"id":"s","title":"S","items":[{"id":"a","type":"m"},{"id":"b","type":"m"},{"id":"c","type":"v"},{"id":"d","type":"m"}]},
            {"id":"t","title":"","items":[{"id":"e","type":"v"}]},{"id":"u","items":[]}]}
            """#
        do {
            snapshot = try Snapshot(lineage: "f", content: try SnapshotDecoder().content(Array(start.utf8)))
        } catch {
            fatalError("the collection to start with: \(error)")
        }
    }

    /// Applies changes, if they can be applied, and checks what became of it.
    package mutating func apply(_ changes: [Change]) {
        guard let next = try? snapshot.applying(changes) else { return }
        advance(to: next)
    }

    /// Replaces the collection, if that is possible, and checks what became of it.
    package mutating func replace(with content: SnapshotContent) {
        guard let next = try? snapshot.replacing(with: content) else { return }
        advance(to: next)
        // Saying it again changes nothing.
        FuzzInput.require(
            (try? snapshot.replacing(with: content))?.revision == snapshot.revision, "a replacement is not its own end")
    }

    /// Forgets deletions but the latest.
    package mutating func forget(keeping count: Int) {
        snapshot = snapshot.keepingDeletions(atMost: count)
        older.removeAll { $0.revision.number < snapshot.oldestKnownNumber }
    }

    private mutating func advance(to next: Snapshot) {
        let content = Self.content(of: next)
        Self.checkState(next, content)
        if next.revision == snapshot.revision {
            FuzzInput.require(content == Self.content(of: snapshot), "other content under the same revision")
            return
        }
        FuzzInput.require(next.revision.number == snapshot.revision.number + 1, "a revision that does not follow")
        older.append(snapshot)
        let replayed = replay(next)
        for old in older {
            let changes = Self.changes(next, since: old)
            Self.checkPatch(changes, from: old, to: next, content)
            FuzzInput.require(Self.changes(replayed, since: old) == changes, "the journal tells other changes")
        }
        checkReset(next, content)
        if older.count > 6 { older.removeFirst() }
        snapshot = next
    }

    private static func content(of snapshot: Snapshot) -> SnapshotContent {
        SnapshotContent(
            members: snapshot.members,
            sections: snapshot.orderedSections.map { section in
                SnapshotContent.Section(content: section.content, items: section.items().map(\.content))
            })
    }

    private static func checkState(_ snapshot: Snapshot, _ content: SnapshotContent) {
        do { try snapshot.checkInvariants() } catch { fatalError("\(error)") }
        let ids = content.sections.flatMap { $0.items.map(\.id) }
        FuzzInput.require(Set(ids).count == ids.count, "an id occurs twice")
        FuzzInput.require(
            Set(content.sections.map(\.content.id)).count == content.sections.count, "a section's id occurs twice")
    }

    private static func changes(_ snapshot: Snapshot, since old: Snapshot) -> [Change] {
        guard case .changes(let changes) = snapshot.changes(since: old.revision.number) else {
            fatalError("no changes since \(old.revision)")
        }
        return changes
    }

    /// What the journal makes of the edit: what it keeps is text.
    private func replay(_ next: Snapshot) -> Snapshot {
        let changes = Self.changes(next, since: snapshot)
        do {
            let kept = try ChangeDecoder.journal.changes(ChangeEncoder.encoded(changes))
            FuzzInput.require(kept == changes, "changes come back from JSON as others")
            let replayed = try snapshot.replaying(kept)
            FuzzInput.require(replayed.revision == next.revision, "a replayed edit has another revision")
            return replayed
        } catch {
            fatalError("what the journal keeps does not apply: \(error)")
        }
    }

    private static func checkPatch(
        _ changes: [Change], from old: Snapshot, to next: Snapshot, _ content: SnapshotContent
    ) {
        do {
            var replica = Replica(old)
            try replica.apply(changes, to: next.revision)
            FuzzInput.require(Self.content(of: replica.snapshot) == content, "a replica shows something else")
            try replica.snapshot.checkInvariants()
            FuzzInput.require(Self.content(of: try old.applying(changes)) == content, "the changes are no patch")
        } catch {
            fatalError("the changes since \(old.revision) do not apply: \(error)")
        }
    }

    private func checkReset(_ next: Snapshot, _ content: SnapshotContent) {
        do {
            var replica = Replica(snapshot)
            try replica.apply(next.changesFromNothing(), isReset: true, to: next.revision)
            FuzzInput.require(Self.content(of: replica.snapshot) == content, "a reset leads to something else")
        } catch {
            fatalError("a reset does not apply: \(error)")
        }
    }
}
