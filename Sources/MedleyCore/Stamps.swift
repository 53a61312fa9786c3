/// The revisions at which something last came into being, was placed and was edited.
package struct Stamps: Hashable, Sendable {
    /// Since when it has existed without a break.
    package var created: UInt64
    /// When it was last inserted or moved.
    package var placed: UInt64
    /// When its own content was last edited.
    package var changed: UInt64

    /// Creates stamps; what they must be is checked where they are used (`SnapshotRestorer`).
    package init(created: UInt64, placed: UInt64, changed: UInt64) {
        self.created = created
        self.placed = placed
        self.changed = changed
    }

    /// The stamps of something new at a revision.
    init(new number: UInt64) {
        created = number
        placed = number
        changed = number
    }

    /// The latest of the three.
    var touched: UInt64 { max(created, max(placed, changed)) }
}

/// Where something stands in the ledger: the revision that last touched it, and which of those touched there it is.
struct TouchKey: Comparable, Sendable {
    let revision: UInt64
    let ordinal: UInt32

    static func < (left: TouchKey, right: TouchKey) -> Bool {
        left.revision != right.revision ? left.revision < right.revision : left.ordinal < right.ordinal
    }
}
