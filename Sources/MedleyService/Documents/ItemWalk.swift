import MedleyCore

/// A place in a snapshot: a section by its index and an item of it by its index.
struct ItemPosition: Hashable, Sendable {
    var section: Int
    var item: Int
}

/// The sections and items of a snapshot in order, from a position on, as far as a filter admits them.
struct ItemWalk: IteratorProtocol {
    /// What comes next.
    enum Step {
        case begin(Section)
        /// An item, where it stands, and whether it is the first of its section in this walk.
        case item(Item, ItemPosition, isFirst: Bool)
        /// Where an item stands that does not pass. It is a step of its own so that whoever walks can stop.
        case miss(ItemPosition)
        case end(Section)
    }

    private let sections: OrderedSections
    private let filter: ItemFilter
    private let limit: ItemPosition?
    private var position: ItemPosition
    private var items: AnyIterator<Item>?
    private var hasBegun = false
    private var isFirst = true

    /// A walk over sections, all of which are listed, and their items from `start` on and before `limit`.
    init(
        _ sections: OrderedSections, from start: ItemPosition = ItemPosition(section: 0, item: 0),
        before limit: ItemPosition? = nil, filter: ItemFilter
    ) {
        self.sections = sections
        self.filter = filter
        self.limit = limit
        position = start
    }

    mutating func next() -> Step? {
        guard position.section < sections.count else { return nil }
        let section = sections[position.section]
        if !hasBegun {
            hasBegun = true
            isFirst = true
            if filter.admits(section.id), position.item < section.count {
                items = AnyIterator(section.items(from: position.item).makeIterator())
            }
            return .begin(section)
        }
        if position != limit, let item = items?.next() {
            let here = position
            position.item += 1
            guard filter.admits(item) else { return .miss(here) }
            defer { isFirst = false }
            return .item(item, here, isFirst: isFirst)
        }
        items = nil
        hasBegun = false
        position = ItemPosition(section: position.section + 1, item: 0)
        return .end(section)
    }
}
