import JSONText
public import MedleyCore

/// What an `ImportPlan` must know of the collection that the records go into.
public struct ImportTarget: Sendable {
    /// Whether there is such a collection.
    public let exists: Bool
    /// Its own members.
    let members: JSONMembers
    /// Its sections in order.
    let sections: [SectionContent]
    private let items: Items

    private enum Items: Sendable {
        case none
        case snapshot(Snapshot)
        case outline([ItemID: Known])
    }

    /// Where an item stands, and what it is.
    private struct Known {
        let type: ItemType
        let section: Int32
        let index: Int32
    }

    /// No collection.
    public static let absent = ImportTarget(exists: false, members: .empty, sections: [], items: .none)

    private init(exists: Bool, members: JSONMembers, sections: [SectionContent], items: Items) {
        self.exists = exists
        self.members = members
        self.sections = sections
        self.items = items
    }

    /// A collection at hand. O(sections).
    public init(_ snapshot: Snapshot) {
        self.init(
            exists: true, members: snapshot.members, sections: snapshot.orderedSections.map(\.content),
            items: .snapshot(snapshot))
    }

    /// A collection of which only ids and types are known. O(items).
    public init(outline: SnapshotContent) {
        var items: [ItemID: Known] = [:]
        items.reserveCapacity(outline.sections.reduce(0) { $0 + $1.items.count })
        for (section, content) in outline.sections.enumerated() {
            for (index, item) in content.items.enumerated() {
                guard let type = item.type else { continue }
                items[item.id] = Known(
                    type: type, section: Int32(clamping: section), index: Int32(clamping: index))
            }
        }
        self.init(
            exists: true, members: outline.members, sections: outline.sections.map(\.content), items: .outline(items))
    }

    /// Whether there are no items. O(1).
    var isEmpty: Bool {
        switch items {
        case .none: true
        case .snapshot(let snapshot): snapshot.itemCount == 0
        case .outline(let items): items.isEmpty
        }
    }

    /// The types of which there are items. O(types), or O(items) for an outline.
    var types: Set<ItemType> {
        switch items {
        case .none: []
        case .snapshot(let snapshot): Set(snapshot.stores.map(\.type))
        case .outline(let items): Set(items.values.lazy.map(\.type))
        }
    }

    /// The type of an item; `nil` if there is none of this id.
    func type(of id: ItemID) -> ItemType? {
        switch items {
        case .none: nil
        case .snapshot(let snapshot): snapshot.item(id)?.type
        case .outline(let items): items[id]?.type
        }
    }

    /// Where an item stands. O(log n).
    func place(of id: ItemID) -> (section: SectionID, index: Int)? {
        switch items {
        case .none: nil
        case .snapshot(let snapshot): snapshot.position(of: id)
        case .outline(let items):
            items[id].map { (sections[Int($0.section)].id, Int($0.index)) }
        }
    }

    /// The items that `isKept` does not want, in the collection's order. O(items), and O(k log k) for k of them.
    func items(without isKept: (ItemID) -> Bool) -> [ItemID] {
        switch items {
        case .none: []
        case .snapshot(let snapshot):
            snapshot.orderedSections.flatMap { section in
                section.items().compactMap { isKept($0.id) ? nil : $0.id }
            }
        case .outline(let items):
            items.filter { !isKept($0.key) }
                .sorted { ($0.value.section, $0.value.index) < ($1.value.section, $1.value.index) }
                .map(\.key)
        }
    }
}
