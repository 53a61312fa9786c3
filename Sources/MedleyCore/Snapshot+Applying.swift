extension Snapshot {
    /// The snapshot after changes, all of them or none, as one new revision; this very state if their net effect is
    /// nothing. O(log n) for each id that a change names.
    ///
    /// The changes apply in order, each seeing the one before. Rules of order and identity are those of Apple's
    /// `NSDiffableDataSourceSnapshot`, save that an insert of an existing id is refused. A model, or a section's members, in
    /// another order than they are there is the same one, whose order stays.
    ///
    /// - Throws: `ChangeError` whose path begins with the index of the change that failed.
    public func applying(_ changes: [Change]) throws(ChangeError) -> Snapshot {
        try applying(changes, seesMemberOrder: false)
    }

    /// The snapshot after changes, as `applying(_:)`; with `seesMemberOrder` a model that is stated with its members in
    /// another order is taken over as stated.
    func applying(_ changes: [Change], seesMemberOrder: Bool) throws(ChangeError) -> Snapshot {
        var draft = Draft(base: self, seesMemberOrder: seesMemberOrder)
        for (index, change) in changes.enumerated() { try draft.apply(change, at: ChangePath() + .index(index)) }
        return draft.commit() ?? self
    }
}

extension Draft {
    /// Carries out one change.
    mutating func apply(_ change: Change, at path: ChangePath) throws(ChangeError) {
        let ignores = change.ignoresMissing
        switch change.operation {
        case .insert(let items, let place):
            try insert(items, at: place, ignoresMissing: ignores, path: path)
        case .upsert(let items, let place):
            try upsert(items, at: place, ignoresMissing: ignores, path: path)
        case .delete(let ids):
            try delete(ids, ignoresMissing: ignores, path: path)
        case .move(let ids, let place):
            try move(ids, to: place, ignoresMissing: ignores, path: path)
        case .reorder(let section, let ids):
            try reorder(section, ids, ignoresMissing: ignores, path: path)
        case .update(let items):
            try update(items, ignoresMissing: ignores, path: path)
        case .merge(let ids, let patch):
            try merge(ids, patch, ignoresMissing: ignores, path: path)
        case .setLiked(let ids, let liked):
            try like(ids, ignoresMissing: ignores, path: path) { _ in liked }
        case .toggleLiked(let ids):
            try like(ids, ignoresMissing: ignores, path: path) { !$0 }
        case .insertSection(let sections, let place):
            try insertSections(sections, at: place, ignoresMissing: ignores, path: path)
        case .moveSection(let ids, let place):
            try moveSections(ids, to: place, ignoresMissing: ignores, path: path)
        case .updateSection(let sections):
            try updateSections(sections, ignoresMissing: ignores, path: path)
        case .deleteSection(let ids):
            try deleteSections(ids, ignoresMissing: ignores, path: path)
        case .deleteAll:
            deleteAll()
        case .updateCollection(let patch):
            try updateCollection(patch, path: path)
        }
    }
}
