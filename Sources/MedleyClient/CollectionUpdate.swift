public import MedleyCore

/// A step of a collection that is followed: the changes, and the snapshots that they lead from and to.
public struct CollectionUpdate: Sendable {
    /// What was held before; `nil` at the beginning and after the collection was gone.
    public let before: Snapshot?
    /// The collection after the changes.
    public let snapshot: Snapshot
    /// The changes in the protocol's normal form: applied one after the other they make `snapshot` of `before`, or of
    /// nothing in a reset. They can be none where what happened cancelled out.
    public let changes: [Change]
    /// Whether the changes begin at nothing: the server could not tell them from `before` on, or nothing was held.
    public let isReset: Bool

    /// Creates an update.
    public init(before: Snapshot?, snapshot: Snapshot, changes: [Change], isReset: Bool) {
        self.before = before
        self.snapshot = snapshot
        self.changes = changes
        self.isReset = isReset
    }
}
