/// What changed, by revision: each living item and section once, at its latest, and every deletion that is kept.
///
/// From it the net changes since any revision back to `floor` follow in O(k log n) for k changed ids, without a snapshot
/// of that revision and without replay: what was touched later is there, and each deletion keeps the interval in which
/// its id existed.
struct Ledger: Sendable {
    /// The oldest revision from which changes can be told.
    var floor: UInt64
    var items = OrderedTree<ItemByTouch>()
    var sections = OrderedTree<SectionByTouch>()
    var itemDeletions = OrderedTree<Deletion<ItemID>>()
    var sectionDeletions = OrderedTree<Deletion<SectionID>>()
}

/// A deletion: the id existed in `[created, deleted)`.
package struct Deletion<ID: Sendable>: OrderedTreeElement {
    /// What was deleted.
    package let id: ID
    /// The revision number since which it had existed.
    package let created: UInt64
    /// The revision number at which it went.
    package let deleted: UInt64
    let ordinal: UInt32

    var orderKey: TouchKey { TouchKey(revision: deleted, ordinal: ordinal) }

    /// Whether who knows the collection at a revision knows what was deleted, given that it was deleted after it.
    func existed(at number: UInt64) -> Bool { created <= number }
}

extension OrderedTree where Element.Key == TouchKey {
    /// Calls `body` with all elements whose revision is later than `number`. O(log n) and O(1) for each.
    func forEach(after number: UInt64, _ body: (Element) -> Void) {
        guard number < UInt64.max else { return }
        var iterator = makeIterator(from: indexOfFirst(notBefore: TouchKey(revision: number + 1, ordinal: 0)))
        while let element = iterator.next() { body(element) }
    }
}
