import JSONText

/// Brings a snapshot back out of what was read from it: content, stamps, deletions, floor, and the history of the
/// collection's own members (`Snapshot+History`).
///
/// What is added must come in the snapshot's order: sections, the items of the last section, deletions, members, removals.
/// The result differs from the original only in what cannot be observed, labels and ordinals: `changes(since:)` is the same
/// for every revision that is known, now and after any edits. What no sound snapshot can hold is refused; the limits of
/// `Snapshot.applying(_:)` are not asked again. After an error the restorer is to be dropped.
package struct SnapshotRestorer: Sendable {
    private(set) var snapshot: Snapshot
    private var members: [CollectionHeader.Member] = []
    private var removals: [CollectionHeader.Removal] = []
    private var itemDeletions: [Deletion<ItemID>] = []
    private var sectionDeletions: [Deletion<SectionID>] = []

    // The section that items are added to.
    private var section: SectionNode.State?
    private var sectionItems: ContiguousArray<ItemByLabel> = []
    private var sectionsInOrder: [SectionByLabel] = []
    private var sectionsByTouch: [SectionByTouch] = []
    private var itemsByTouch: ContiguousArray<ItemByTouch> = []
    /// The hash of each item's id: an id that two stores hold shows as a hash that stands twice.
    private var hashes: ContiguousArray<UInt> = []
    private var lastStore = 0
    private var lastOrdinal: UInt32 = 0

    /// Where labels begin: as much room before the first as appending needs for the largest collection thrice over.
    private static var firstLabel: UInt64 { UInt64.max / 4 }

    /// Begins a snapshot of a revision from which changes can be told back to `floor`.
    ///
    /// - Parameter itemCount: about the number of items that will follow.
    package init(revision: Revision, floor: UInt64, itemCount: Int = 0) throws(RestoreError) {
        // An edit must still be able to count on.
        try RestoreError.require(
            (1...UInt64(Int64.max)).contains(revision.number), "revision number \(revision.number) cannot be")
        try RestoreError.require(
            (1...revision.number).contains(floor),
            "changes cannot be told from \(floor) on at revision \(revision.number)")
        snapshot = Snapshot(emptyOf: revision.lineage)
        snapshot.revision = revision
        snapshot.ledger.floor = floor
        itemsByTouch.reserveCapacity(itemCount)
        hashes.reserveCapacity(itemCount)
    }

    private var number: UInt64 { snapshot.revision.number }

    // MARK: The collection's own members

    /// Adds a member of the collection's own, which stands behind those added before. O(members).
    package mutating func addMember(_ member: MemberHistory) throws(RestoreError) {
        let name = CollectionHeader.Name(JSONString(trusted: member.nameText[...]))
        try RestoreError.require(
            !members.contains { $0.name == name }, "the collection has the member \(Self.text(member.nameText)) twice")
        try RestoreError.require(
            1 <= member.placed && member.placed <= member.changed && member.changed <= number,
            "the collection's member \(Self.text(member.nameText)) was placed at \(member.placed) and changed at "
                + "\(member.changed), which cannot be at revision \(number)")
        members.append(
            CollectionHeader.Member(name: name, value: member.value, placed: member.placed, changed: member.changed))
    }

    /// Adds the removal of a member of the collection's own, later than those added before or at the same revision.
    /// O(removals).
    package mutating func addMemberRemoval(_ removal: MemberRemoval) throws(RestoreError) {
        let name = CollectionHeader.Name(JSONString(trusted: removal.nameText[...]))
        try RestoreError.require(
            !removals.contains { $0.name == name },
            "the collection's member \(Self.text(removal.nameText)) has two latest removals")
        try RestoreError.require(
            (max(1, removals.last?.revision ?? 1)...number).contains(removal.revision),
            "the collection's member \(Self.text(removal.nameText)) was removed at \(removal.revision), which is out of "
                + "order or beyond revision \(number)")
        removals.append(CollectionHeader.Removal(name: name, revision: removal.revision))
    }

    // MARK: Sections and items

    /// Adds a section behind those added before; items that are added next are its items. O(1).
    package mutating func addSection(_ content: SectionContent, _ stamps: Stamps) throws(RestoreError) {
        finishSection()
        try requireSound(stamps, "section", content.id)
        try RestoreError.require(
            snapshot.sections.find(content.id) == nil, "the section \(content.id) is there twice")
        let label = (sectionsInOrder.last?.label ?? Self.firstLabel).addingReportingOverflow(OrderLabel.stride)
        try RestoreError.require(!label.overflow, "there are too many sections")
        let state = SectionNode.State(
            id: content.id, members: content.members, stamps: stamps, ordinal: try makeOrdinal(),
            label: label.partialValue)
        // It is put in the map again once it has its items; it stands there now so that it is found.
        snapshot.sections.insert(SectionNode(state))
        snapshot.encodedByteCount += state.encodedByteCount
        sectionsInOrder.append(SectionByLabel(id: state.id, label: state.label))
        sectionsByTouch.append(SectionByTouch(id: state.id, orderKey: state.touchKey))
        section = state
    }

    /// Adds an item to the section added last, behind the items added before. O(1) expected.
    package mutating func addItem(_ record: ItemRecord) throws(RestoreError) {
        guard let section else { throw RestoreError("the item \(record.id) stands in no section") }
        try requireSound(record.stamps, "item", record.id)
        let label = (sectionItems.last?.orderKey ?? Self.firstLabel).addingReportingOverflow(OrderLabel.stride)
        try RestoreError.require(!label.overflow, "the section \(section.id) has too many items")
        let item = Item(
            Item.State(
                text: record.text, idCount: record.idCount, liked: record.liked, ordinal: try makeOrdinal(),
                type: record.type, section: section.id, label: label.partialValue, stamps: record.stamps))
        let hash = PersistentMap<Item>.hash(item.id)
        let store = storeIndex(of: record.type)
        if let other = snapshot.stores[store].items.insert(item, hash: hash) {
            snapshot.stores[store].items.insert(other, hash: hash)
            throw RestoreError("the item \(record.id) is there twice")
        }
        hashes.append(hash)
        sectionItems.append(ItemByLabel(item))
        itemsByTouch.append(ItemByTouch(item))
        snapshot.encodedByteCount += item.encodedByteCount + 1
    }

    private mutating func storeIndex(of type: ItemType) -> Int {
        if lastStore < snapshot.stores.count, snapshot.stores[lastStore].type == type { return lastStore }
        if let index = snapshot.stores.firstIndex(where: { $0.type == type }) {
            lastStore = index
        } else {
            lastStore = snapshot.stores.firstIndex { type < $0.type } ?? snapshot.stores.endIndex
            snapshot.stores.insert(ModelStore(type: type), at: lastStore)
        }
        return lastStore
    }

    private mutating func finishSection() {
        guard let state = section else { return }
        section = nil
        let items = OrderedTree(sorted: sectionItems)
        snapshot.withSection(state.id) { $0.items = items }
        sectionItems.removeAll(keepingCapacity: true)
    }

    // MARK: Deletions

    /// Adds the deletion of an item that existed in `[created, deleted)`, later than those added before or at the same
    /// revision. O(1) amortised.
    package mutating func addDeletion(of id: ItemID, created: UInt64, deleted: UInt64) throws(RestoreError) {
        try requireSound(created, deleted, after: itemDeletions.last?.deleted, "item", id)
        itemDeletions.append(Deletion(id: id, created: created, deleted: deleted, ordinal: try makeOrdinal()))
    }

    /// Adds the deletion of a section that existed in `[created, deleted)`, later than those added before or at the same
    /// revision. O(1) amortised.
    package mutating func addDeletion(of id: SectionID, created: UInt64, deleted: UInt64) throws(RestoreError) {
        try requireSound(created, deleted, after: sectionDeletions.last?.deleted, "section", id)
        sectionDeletions.append(Deletion(id: id, created: created, deleted: deleted, ordinal: try makeOrdinal()))
    }

    // MARK: The end

    /// The snapshot. O(n log n) for n items; O(n) if nothing was touched since all was created.
    package consuming func finish() throws(RestoreError) -> Snapshot {
        finishSection()
        try requireDistinctItems()
        try Self.requireApart(itemDeletions, "item") { [snapshot] in snapshot.item($0)?.created }
        try Self.requireApart(sectionDeletions, "section") { [snapshot] in
            snapshot.sections.find($0)?.state.stamps.created
        }
        snapshot.header = CollectionHeader(members: members, removals: removals)
        snapshot.sectionOrder = OrderedTree(sorted: sectionsInOrder)
        // What is in order already need not be sorted: ordinals ascend.
        let isSorted = zip(itemsByTouch, itemsByTouch.dropFirst()).allSatisfy { $0.orderKey < $1.orderKey }
        if !isSorted { itemsByTouch.sort { $0.orderKey < $1.orderKey } }
        sectionsByTouch.sort { $0.orderKey < $1.orderKey }
        snapshot.ledger.items = OrderedTree(sorted: itemsByTouch)
        snapshot.ledger.sections = OrderedTree(sorted: sectionsByTouch)
        snapshot.ledger.itemDeletions = OrderedTree(sorted: itemDeletions)
        snapshot.ledger.sectionDeletions = OrderedTree(sorted: sectionDeletions)
        return snapshot
    }

    /// Refuses an id that items of two types have; within a store it has been refused already.
    private func requireDistinctItems() throws(RestoreError) {
        guard snapshot.stores.count > 1 else { return }
        let suspects = repeatedHashes()
        guard !suspects.isEmpty else { return }
        var seen: Set<ItemID> = []
        for entry in itemsByTouch where suspects.contains(max(1, PersistentMap<Item>.hash(entry.item.id))) {
            try RestoreError.require(
                seen.insert(entry.item.id).inserted, "the item \(entry.item.id) is there twice, with two types")
        }
    }

    /// The hashes that stand twice, by linear probing; zero, which marks a free place, counts as one.
    private func repeatedHashes() -> Set<UInt> {
        let bits = Int.bitWidth - (hashes.count * 2).leadingZeroBitCount
        let mask = (1 << bits) - 1
        var table = ContiguousArray<UInt>(repeating: 0, count: mask + 1)
        var repeated: Set<UInt> = []
        for hash in hashes.lazy.map({ max(1, $0) }) {
            var place = Int(truncatingIfNeeded: hash) & mask
            while table[place] != 0, table[place] != hash { place = (place + 1) & mask }
            if table[place] == hash { repeated.insert(hash) }
            table[place] = hash
        }
        return repeated
    }

    private mutating func makeOrdinal() throws(RestoreError) -> UInt32 {
        let (next, overflowed) = lastOrdinal.addingReportingOverflow(1)
        try RestoreError.require(!overflowed, "there are more items, sections and deletions than can be")
        lastOrdinal = next
        return next
    }

    private static func text(_ utf8: [UInt8]) -> String { String(decoding: utf8, as: UTF8.self) }
}
