public import JSONText

/// A whole collection at one revision: ordered sections, the stores that hold their models, and the ledger of what
/// changed when.
///
/// A value: taking one costs a few references, and nothing that is done later can be seen in it. All parts are
/// persistent, so the next snapshot shares everything but the paths to what changed.
public struct Snapshot: Sendable {
    /// What state this is.
    public internal(set) var revision: Revision
    /// One store for each type that has models, in the order of types.
    public internal(set) var stores: [ModelStore] = []
    var header = CollectionHeader()
    var sections = PersistentMap<SectionNode>()
    var sectionOrder = OrderedTree<SectionByLabel>()
    var ledger: Ledger
    /// The bytes of all items' and sections' JSON, kept up with each edit.
    var encodedByteCount = 0

    /// The state before the first: nothing, number 0, known to no client.
    init(emptyOf lineage: String) {
        revision = Revision(lineage: lineage, number: 0)
        ledger = Ledger(floor: 0)
    }

    /// The first state of a collection, revision number 1. O(n log n) for n items.
    public init(lineage: String, content: SnapshotContent) throws(ChangeError) {
        let empty = Snapshot(emptyOf: lineage)
        self = try empty.replacing(with: content)
        revision = Revision(lineage: lineage, number: 1)
        ledger.floor = 1
    }
}

// MARK: Reading

extension Snapshot {
    /// The collection's own members, `title` first.
    public var members: JSONMembers { header.text }
    /// The number of items.
    public var itemCount: Int { stores.reduce(0) { $0 + $1.count } }
    /// The number of sections.
    public var sectionCount: Int { sectionOrder.count }
    /// The oldest revision number from which `changes(since:)` can tell the changes.
    public var oldestKnownNumber: UInt64 { ledger.floor }
    /// The number of deletions that are kept for `changes(since:)`.
    public var keptDeletionCount: Int { ledger.itemDeletions.count + ledger.sectionDeletions.count }
    /// About the bytes of the snapshot's JSON form.
    public var approximateByteCount: Int { encodedByteCount + header.text.bytes.count + 128 }

    /// The item with an id, whatever its type. O(types), each O(1).
    public func item(_ id: ItemID) -> Item? {
        for store in stores {
            if let item = store.item(id) { return item }
        }
        return nil
    }

    /// The models of a type, or `nil` if there are none.
    public func store(_ type: ItemType) -> ModelStore? {
        stores.first { $0.type == type }
    }

    /// The section with an id. O(1).
    public func section(_ id: SectionID) -> Section? {
        sections.find(id).map { Section(snapshot: self, node: $0) }
    }

    /// All sections in order. O(sections).
    public var orderedSections: OrderedSections {
        OrderedSections(snapshot: self, nodes: sectionOrder.compactMap { sections.find($0.id) })
    }

    /// Where an item stands: its section and its index there. O(log n).
    public func position(of id: ItemID) -> (section: SectionID, index: Int)? {
        guard let item = item(id), let node = sections.find(item.section),
            let index = node.state.items.index(of: item.state.label)
        else { return nil }
        return (item.section, index)
    }

    /// Puts items into the collection's order. O(k log k) for k items.
    public func inOrder(_ items: [Item]) -> [Item] {
        items.map { (key: orderKey(of: $0), item: $0) }
            .sorted { $0.key < $1.key }
            .map(\.item)
    }

    /// What orders the items of all sections: the section's label, then the item's.
    func orderKey(of item: Item) -> ItemOrderKey {
        ItemOrderKey(section: sections.find(item.section)?.state.label ?? 0, item: item.state.label)
    }
}

/// The place of an item in the whole collection.
struct ItemOrderKey: Comparable {
    let section: UInt64
    let item: UInt64

    static func < (left: ItemOrderKey, right: ItemOrderKey) -> Bool {
        left.section != right.section ? left.section < right.section : left.item < right.item
    }
}
