/// All models of one type in one collection, found by id in O(1).
public struct ModelStore: Sendable {
    /// The type of all of them.
    public let type: ItemType
    var items = PersistentMap<Item>()

    init(type: ItemType) { self.type = type }

    /// The number of models.
    public var count: Int { items.count }

    /// The model of an id, or `nil`. O(1), in that the tree of 32-way nodes is at most seven deep for 10^10 models.
    public func item(_ id: ItemID) -> Item? { items.find(id) }
}

extension Item: PersistentMapElement {
    var mapKey: ItemID { id }
}
