/// What a snapshot knows of its past, for who keeps it and brings it back (`SnapshotRestorer`).
extension Snapshot {
    /// The collection's own members in their order, each with when it was placed and changed.
    package var memberHistory: [MemberHistory] {
        header.members.map { member in
            MemberHistory(
                nameText: member.name.text, value: member.value, placed: member.placed, changed: member.changed)
        }
    }

    /// The names of own members that went, the latest removal of each, oldest first.
    package var memberRemovals: [MemberRemoval] {
        header.removals.map { MemberRemoval(nameText: $0.name.text, revision: $0.revision) }
    }

    /// The number of deletions of items that are kept.
    package var itemDeletionCount: Int { ledger.itemDeletions.count }
    /// The number of deletions of sections that are kept.
    package var sectionDeletionCount: Int { ledger.sectionDeletions.count }

    /// The deletions of items that are kept, from an index on, in their order. O(log n) and O(1) for each.
    package func itemDeletions(from index: Int = 0) -> some Sequence<Deletion<ItemID>> {
        IteratorSequence(ledger.itemDeletions.makeIterator(from: index))
    }

    /// The deletions of sections that are kept, from an index on, in their order. O(log n) and O(1) for each.
    package func sectionDeletions(from index: Int = 0) -> some Sequence<Deletion<SectionID>> {
        IteratorSequence(ledger.sectionDeletions.makeIterator(from: index))
    }

    /// The section at an index in the order of sections. O(log n).
    package func section(at index: Int) -> Section? {
        guard index >= 0, index < sectionOrder.count else { return nil }
        return section(sectionOrder[index].id)
    }
}

/// A member of the collection's own with its history.
package struct MemberHistory: Hashable, Sendable {
    /// The name as it was first written, quotes included.
    package let nameText: [UInt8]
    /// The value as compact text.
    package let value: [UInt8]
    /// The revision number at which it was last added, which gave it its place.
    package let placed: UInt64
    /// The revision number at which its value last changed.
    package let changed: UInt64

    /// Creates a member's history from text that is known to be valid.
    package init(nameText: [UInt8], value: [UInt8], placed: UInt64, changed: UInt64) {
        self.nameText = nameText
        self.value = value
        self.placed = placed
        self.changed = changed
    }
}

/// A name that a member of the collection's own had until a revision.
package struct MemberRemoval: Hashable, Sendable {
    /// The name as it was first written, quotes included.
    package let nameText: [UInt8]
    /// The revision number at which the member went.
    package let revision: UInt64

    /// Creates a removal from text that is known to be valid.
    package init(nameText: [UInt8], revision: UInt64) {
        self.nameText = nameText
        self.revision = revision
    }
}
