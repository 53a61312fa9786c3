import JSONText

/// A section as a snapshot holds it.
// SAFETY: `state` is changed only by `Snapshot.withSection` while nothing else refers to the object; what a second
// snapshot can see is never changed.
final class SectionNode: PersistentMapElement, @unchecked Sendable {
    // SAFETY: the accesses of one thread never overlap (see above), so checking that at run time, a good part of an edit's
    // time, would find nothing.
    @safe @exclusivity(unchecked) var state: State

    init(_ state: State) { self.state = state }

    var mapKey: SectionID { state.id }

    /// What a section consists of.
    struct State: Sendable {
        let id: SectionID
        /// Title first, then the section's own members.
        var members: JSONMembers
        var stamps: Stamps
        /// Which of the sections touched at the same revision this is.
        var ordinal: UInt32
        /// The place among the sections (`OrderLabel`).
        var label: UInt64
        var items = OrderedTree<ItemByLabel>()

        var touchKey: TouchKey { TouchKey(revision: stamps.touched, ordinal: ordinal) }
    }
}

/// A section in the order of sections.
struct SectionByLabel: OrderedTreeElement {
    let id: SectionID
    let label: UInt64

    var orderKey: UInt64 { label }
}

/// A section in the ledger.
struct SectionByTouch: OrderedTreeElement {
    let id: SectionID
    let orderKey: TouchKey
}
