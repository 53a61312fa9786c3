extension Snapshot {
    /// The next snapshot out of the net changes of one edit: of what `next.changes(since: revision.number)` gave, before
    /// any deletion of `next` was dropped. O(log n) for each id that a change names.
    ///
    /// The changes are taken at their word. What they move is stamped as placed, what they update as changed, what they
    /// delete and insert is made anew, without asking whether it differs or could have stayed; so the history, and with it
    /// `changes(since:)` for every revision that both know, is that of the snapshot which the edit made. The number goes up
    /// by one in any case. The limits of `applying(_:)` are not asked again: what was committed once is history.
    ///
    /// - Throws: `ChangeError` if the changes do not fit this state; its path begins with the index of the change.
    package func replaying(_ changes: [Change]) throws(ChangeError) -> Snapshot {
        var draft = Draft(base: self, isLiteral: true)
        for (index, change) in changes.enumerated() { try draft.apply(change, at: ChangePath() + .index(index)) }
        return draft.commit() ?? self
    }

    /// The first state of a collection, revision number 1, out of what its `changesFromNothing()` gave. O(n log n) for n
    /// items.
    ///
    /// - Throws: `ChangeError` if the changes do not apply to an empty collection.
    package init(lineage: String, creating changes: [Change]) throws(ChangeError) {
        self = try Snapshot(emptyOf: lineage).replaying(changes)
        ledger.floor = 1
    }
}
