/// A client's copy of a collection, kept in step by applying the changes that the server returns.
public struct Replica: Sendable {
    /// What the client shows.
    public private(set) var snapshot: Snapshot

    /// An empty copy, for a client that has seen nothing yet.
    public init() {
        snapshot = Snapshot(emptyOf: "none")
    }

    /// A copy that a client has already.
    public init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
    }

    /// Applies a list of changes as the server returned it. O(log n) for each id that they name.
    ///
    /// Deletions are not kept: a copy that is followed for months is as large as what it shows.
    ///
    /// - Parameters:
    ///   - isReset: whether what is held is dropped first (`"reset":true`).
    ///   - revision: the revision that the list leads to (`to`).
    /// - Throws: `ChangeError` if the list does not fit what is held; the copy is then as before.
    public mutating func apply(
        _ changes: [Change], isReset: Bool = false, to revision: Revision
    ) throws(ChangeError) {
        let base = isReset ? Snapshot(emptyOf: revision.lineage) : snapshot
        var next = try base.applying(changes, seesMemberOrder: true)
        next.revision = revision
        snapshot = next.keepingDeletions(atMost: 0)
    }
}
