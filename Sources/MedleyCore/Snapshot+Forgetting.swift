extension Snapshot {
    /// The same state with at most so many deletions kept, the oldest dropped first: changes can then be told only from
    /// the last dropped one on. O(log n) for each that is dropped.
    public func keepingDeletions(atMost limit: Int) -> Snapshot {
        guard keptDeletionCount > limit else { return self }
        var next = self
        while next.keptDeletionCount > limit {
            let item = next.ledger.itemDeletions.first?.orderKey
            let section = next.ledger.sectionDeletions.first?.orderKey
            if let item, section.map({ item < $0 }) ?? true {
                next.ledger.itemDeletions.remove(item)
                next.ledger.floor = item.revision
            } else if let section {
                next.ledger.sectionDeletions.remove(section)
                next.ledger.floor = section.revision
            }
        }
        next.header.forget(through: next.ledger.floor)
        return next
    }
}
