/// An item as a section's tree holds it: sixteen bytes that own nothing, ordered by label.
///
/// The model stores of the same snapshot own the item. So a leaf is copied as plain bytes; counted references would
/// cost an atomic operation for each of its hundred and more, most of them on cold memory.
// SAFETY: a tree never leaves its snapshot, whose stores hold every item that its trees name (`Draft` changes both
// together and keeps the snapshot before alive until the ledger follows); items are immutable.
@safe struct ItemByLabel: OrderedTreeElement, @unchecked Sendable {
    // SAFETY: see above: the stores of the same snapshot own the item.
    private let reference: Unmanaged<Item>
    /// The item's label, so that a search touches no item.
    let orderKey: UInt64

    init(_ item: Item) {
        // SAFETY: the stores of the same snapshot own the item; see above.
        unsafe reference = Unmanaged.passUnretained(item)
        orderKey = item.state.label
    }

    var item: Item { unsafe reference.takeUnretainedValue() }
}

/// An item as the ledger holds it: a few bytes that own nothing, ordered by the revision that last touched it.
// SAFETY: as for `ItemByLabel`; the ledger is part of the same snapshot as the stores.
@safe struct ItemByTouch: OrderedTreeElement, @unchecked Sendable {
    // SAFETY: see above: the stores of the same snapshot own the item.
    private let reference: Unmanaged<Item>
    /// The item's key, so that a search touches no item.
    let orderKey: TouchKey

    init(_ item: Item) {
        // SAFETY: the stores of the same snapshot own the item; see above.
        unsafe reference = Unmanaged.passUnretained(item)
        orderKey = item.touchKey
    }

    var item: Item { unsafe reference.takeUnretainedValue() }
}
