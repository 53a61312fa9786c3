import JSONText

/// The next snapshot while changes are carried out on it: `Snapshot.applying` makes one, and nothing else does.
///
/// `next` is changed in place where nothing else shares it. What was touched is kept, so that at the end only what differs
/// from `base` gets the new revision (`commit`). `base` stays alive throughout: until then the ledger names its items.
struct Draft {
    let base: Snapshot
    var next: Snapshot
    /// The revision that the edit will have.
    let number: UInt64
    var touchedItems = TouchedItems()
    var touchedSections: [SectionID: SectionTouch] = [:]
    /// Whether the collection's own members may have changed.
    var isHeaderTouched = false
    /// Whether what the changes name is stamped without comparing (`Snapshot.replaying`).
    let isLiteral: Bool
    /// Whether the same members in another order are another model: for those who are told what to hold, to the byte.
    let seesMemberOrder: Bool
    private var lastOrdinal: UInt32 = 0

    /// What happened to a section in this edit.
    struct SectionTouch {
        /// When it was first touched in this edit.
        let ordinal: UInt32
        /// Whether something placed it, so that it may have moved.
        var placed = false
        /// Whether something named it as edited.
        var isEdited = false
    }

    init(base: Snapshot, isLiteral: Bool = false, seesMemberOrder: Bool = false) {
        self.base = base
        self.isLiteral = isLiteral
        self.seesMemberOrder = seesMemberOrder || isLiteral
        next = base
        number = base.revision.number + 1
    }

    /// A number that no other item or section touched in this edit has.
    private mutating func makeOrdinal() -> UInt32 {
        lastOrdinal += 1
        return lastOrdinal
    }

    /// Notes that an item is about to change and returns where its touch stands.
    mutating func touch(_ item: Item) -> Int { touch(item.id, was: item) }

    /// Notes that the item of an id, `nil` if there is none, is about to change and returns where its touch stands.
    mutating func touch(_ id: ItemID, was item: Item?) -> Int {
        if let position = touchedItems.position(of: id) { return position }
        // Nothing touched it before, so it is still the item of `base`.
        return touchedItems.append(TouchedItems.Touch(id: id, ordinal: makeOrdinal(), old: item, new: item))
    }

    /// Notes that an item goes.
    mutating func noteRemoval(of item: Item) {
        let position = touch(item)
        touchedItems[position].wasRemoved = true
        touchedItems[position].new = nil
    }

    /// Notes that a section is touched and returns its ordinal.
    @discardableResult
    mutating func touch(_ id: SectionID, _ note: (inout SectionTouch) -> Void = { _ in }) -> UInt32 {
        if var touch = touchedSections[id] {
            note(&touch)
            touchedSections[id] = touch
            return touch.ordinal
        }
        var touch = SectionTouch(ordinal: makeOrdinal())
        note(&touch)
        touchedSections[id] = touch
        return touch.ordinal
    }

    /// Whether members that a change states are others than those that are there. O(bytes).
    func isOther(_ stated: JSONMembers, than known: JSONMembers) -> Bool {
        seesMemberOrder ? stated != known : !stated.hasSameMembers(as: known)
    }
}

// MARK: The structures, kept in step with each other

extension Snapshot {
    /// Changes a section's state in place if nothing else shares it.
    @discardableResult
    mutating func withSection<R>(_ id: SectionID, _ body: (inout SectionNode.State) -> R) -> R? {
        sections.update(id) { node in
            if !isKnownUniquelyReferenced(&node) { node = SectionNode(node.state) }
            return body(&node.state)
        }
    }

    /// Adds an item to its store and its section. Its label must be free.
    mutating func add(_ item: Item) {
        settle(item)
        encodedByteCount += item.encodedByteCount + 1
    }

    /// Takes an item out of its section and its store.
    mutating func take(_ item: Item) {
        withdraw(item)
        discard(item)
    }

    /// Takes an item out of its store; its section's tree no longer names it, or goes too.
    mutating func discard(_ item: Item) {
        if let index = stores.firstIndex(where: { $0.type == item.type }) {
            stores[index].items.remove(item.id)
            if stores[index].count == 0 { stores.remove(at: index) }
        }
        encodedByteCount -= item.encodedByteCount + 1
    }

    /// Puts another state of an item in its place: the same id, type, section and label.
    mutating func replace(_ item: Item, with other: Item) {
        store(other)
        withSection(other.section) { $0.items.replace(item.state.label, with: ItemByLabel(other)) }
        encodedByteCount += other.encodedByteCount - item.encodedByteCount
    }

    /// Takes an item out of its section and leaves it in its store, where `settle` replaces it. The caller holds it.
    mutating func withdraw(_ item: Item) {
        withSection(item.section) { $0.items.remove(item.state.label) }
    }

    /// Puts a state of a withdrawn item into its store and its section.
    mutating func settle(_ item: Item) {
        store(item)
        withSection(item.section) { $0.items.insert(ItemByLabel(item)) }
    }

    private mutating func store(_ item: Item) {
        if let index = stores.firstIndex(where: { $0.type == item.type }) {
            stores[index].items.insert(item)
            return
        }
        var store = ModelStore(type: item.type)
        store.items.insert(item)
        stores.insert(store, at: stores.firstIndex { item.type < $0.type } ?? stores.endIndex)
    }
}
