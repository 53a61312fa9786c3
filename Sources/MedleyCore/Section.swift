public import JSONText

/// A section of a snapshot: its members and its items in order.
public struct Section: Sendable {
    /// The snapshot keeps the items alive that the section's tree names.
    private let snapshot: Snapshot
    let node: SectionNode

    init(snapshot: Snapshot, node: SectionNode) {
        self.snapshot = snapshot
        self.node = node
    }

    /// The id.
    public var id: SectionID { node.state.id }
    /// Every member but `id` and `items`; `title` is first.
    public var members: JSONMembers { node.state.members }
    /// The number of items.
    public var count: Int { node.state.items.count }
    /// The section as a change states it.
    public var content: SectionContent { SectionContent(id: id, members: members) }

    /// The item at an index. O(log n).
    public subscript(index: Int) -> Item { node.state.items[index].item }

    /// The index of an item, or `nil` if it is not in this section. O(log n).
    public func index(of id: ItemID) -> Int? {
        guard let item = snapshot.item(id), item.section == self.id else { return nil }
        return node.state.items.index(of: item.state.label)
    }

    /// The items from an index on, in order. O(log n) and O(1) for each.
    public func items(from index: Int = 0) -> some Sequence<Item> {
        SectionItems(section: self, start: index)
    }

    /// The run of items that share a leaf with the item at an index: the unit in which encodings are kept.
    package func leaf(at index: Int) -> ItemLeaf {
        ItemLeaf(section: self, view: node.state.items.leafView(at: index))
    }

    fileprivate func iterator(from index: Int) -> OrderedTree<ItemByLabel>.Iterator {
        node.state.items.makeIterator(from: index)
    }
}

/// The items of a section from an index on.
private struct SectionItems: Sequence, IteratorProtocol {
    private let section: Section
    private var iterator: OrderedTree<ItemByLabel>.Iterator

    init(section: Section, start: Int) {
        self.section = section
        iterator = section.iterator(from: start)
    }

    mutating func next() -> Item? { iterator.next()?.item }
}

/// Items that stand together and that snapshots share as long as none of them changes.
package struct ItemLeaf: Sendable {
    /// Keeps the items alive.
    private let section: Section
    private let view: OrderedTree<ItemByLabel>.LeafView

    fileprivate init(section: Section, view: OrderedTree<ItemByLabel>.LeafView) {
        self.section = section
        self.view = view
    }

    /// The index of the first item in the section.
    package var startIndex: Int { view.startIndex }
    /// The number of items.
    package var count: Int { view.count }

    /// Calls `body` with each item in order.
    package func forEach(_ body: (Item) -> Void) {
        for element in view.elements { body(element.item) }
    }

    /// What was made of these items once, for all snapshots that share them. Thread-safe.
    package func attachment<A: AnyObject & Sendable>(make: () -> A) -> A {
        view.attachment(make: make)
    }
}
