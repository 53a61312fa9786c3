extension Snapshot {
    /// The same state with at most so many deletions kept, the oldest dropped first: changes can then be told only from
    /// the last dropped one on. O(log n) for each that is dropped.
    public func keepingDeletions(atMost limit: Int) -> Snapshot {
        let memberLimit = min(limit, Self.maximumMemberRemovals)
        guard keptDeletionCount > limit || header.removals.count > memberLimit else { return self }
        var next = self
        if next.header.removals.count > memberLimit {
            next.ledger.floor = max(
                next.ledger.floor, next.header.removals[header.removals.count - memberLimit - 1].revision)
        }
        while next.keptDeletionCount > limit, next.ledger.dropOldestDeletion(through: .max) {}
        next.header.forget(through: next.ledger.floor)
        return next
    }

    /// The same state without its oldest deletions, as far as they are of revisions up to `number` and more than `least`
    /// are kept: changes can then be told only from the last dropped one on. O(log n) for each that is dropped.
    package func forgettingDeletions(through number: UInt64, keeping least: Int) -> Snapshot {
        guard keptDeletionCount > least else { return self }
        var next = self
        while next.keptDeletionCount > least, next.ledger.dropOldestDeletion(through: number) {}
        next.header.forget(through: next.ledger.floor)
        return next
    }

    /// The same content and number in another lineage, of which no earlier revision is known. O(1) and what is dropped.
    package func continuing(in lineage: String) -> Snapshot {
        var next = self
        next.revision = Revision(lineage: lineage, number: revision.number)
        next.ledger.floor = revision.number
        next.ledger.itemDeletions = OrderedTree()
        next.ledger.sectionDeletions = OrderedTree()
        next.header.forget(through: revision.number)
        return next
    }
}

extension Ledger {
    /// Drops the oldest deletion if it is of a revision up to `number`; returns whether it did. O(log n).
    fileprivate mutating func dropOldestDeletion(through number: UInt64) -> Bool {
        let item = itemDeletions.first?.orderKey
        let section = sectionDeletions.first?.orderKey
        guard let oldest = [item, section].compactMap({ $0 }).min(), oldest.revision <= number else { return false }
        if oldest == item { itemDeletions.remove(oldest) } else { sectionDeletions.remove(oldest) }
        floor = max(floor, oldest.revision)
        return true
    }
}
