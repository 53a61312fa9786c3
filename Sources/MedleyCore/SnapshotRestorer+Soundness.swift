/// What no sound snapshot can hold.
extension SnapshotRestorer {
    /// Refuses revisions that cannot be.
    func requireSound(
        _ stamps: Stamps, _ kind: StaticString, _ id: some CustomStringConvertible
    ) throws(RestoreError) {
        guard
            1 <= stamps.created, stamps.created <= min(stamps.placed, stamps.changed),
            max(stamps.placed, stamps.changed) <= snapshot.revision.number
        else {
            throw RestoreError(
                "the \(kind) \(id) was created at \(stamps.created), placed at \(stamps.placed) and changed at "
                    + "\(stamps.changed), which cannot be at revision \(snapshot.revision.number)")
        }
    }

    /// Refuses revisions that cannot be.
    func requireSound(
        _ created: UInt64, _ deleted: UInt64, after last: UInt64?, _ kind: StaticString,
        _ id: some CustomStringConvertible
    ) throws(RestoreError) {
        guard 1 <= created, created < deleted, deleted <= snapshot.revision.number else {
            throw RestoreError(
                "the \(kind) \(id) was created at \(created) and deleted at \(deleted), which cannot be at revision "
                    + "\(snapshot.revision.number)")
        }
        if let last, deleted < last {
            throw RestoreError("the \(kind) \(id) was deleted at \(deleted), but stands behind a deletion at \(last)")
        }
    }

    /// Refuses intervals of existence of one id that overlap.
    static func requireApart<ID: Hashable & CustomStringConvertible>(
        _ deletions: [Deletion<ID>], _ kind: StaticString, createdAt: (ID) -> UInt64?
    ) throws(RestoreError) {
        var last: [ID: UInt64] = [:]
        for deletion in deletions {
            if let before = last.updateValue(deletion.deleted, forKey: deletion.id), deletion.created < before {
                throw RestoreError(
                    "the \(kind) \(deletion.id) was created at \(deletion.created), before it was deleted at \(before)")
            }
            if let created = createdAt(deletion.id), created < deletion.deleted {
                throw RestoreError(
                    "the \(kind) \(deletion.id) exists since \(created), but was deleted at \(deletion.deleted)")
            }
        }
    }
}
