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
        while next.keptDeletionCount > limit {
            let item = next.ledger.itemDeletions.first?.orderKey
            let section = next.ledger.sectionDeletions.first?.orderKey
            if let item, section.map({ item < $0 }) ?? true {
                next.ledger.itemDeletions.remove(item)
                next.ledger.floor = max(next.ledger.floor, item.revision)
            } else if let section {
                next.ledger.sectionDeletions.remove(section)
                next.ledger.floor = max(next.ledger.floor, section.revision)
            }
        }
        next.header.forget(through: next.ledger.floor)
        return next
    }
}
