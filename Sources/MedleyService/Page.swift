import MedleyCore

/// What a page holds: where it starts, which section is its last, how many items, and where the next one starts.
struct Page: Hashable, Sendable {
    var start = ItemPosition(section: 0, item: 0)
    /// The index of the last section that is listed.
    var lastSection: Int
    var itemCount: Int
    /// The position of the next page's first item; `nil` if this is the last page.
    var next: ItemPosition?

    /// Everything.
    static func whole(_ sections: [Section]) -> Page { Page(lastSection: sections.count - 1, itemCount: .max) }

    /// The page of at most `limit` items from a position on. O(sections) where whole sections pass the filter, else
    /// O(items looked at).
    init(_ sections: [Section], from start: ItemPosition, limit: Int, filter: ItemFilter) {
        self.start = start
        itemCount = limit
        lastSection = sections.count - 1
        guard let last = Self.position(of: limit - 1, sections, from: start, filter),
            let next = Self.position(of: limit, sections, from: start, filter)
        else { return }
        self.next = next
        // A section that goes on in the next page is listed in both; those between belong to the page before it.
        lastSection = next.section == last.section ? next.section : next.section - 1
    }

    private init(lastSection: Int, itemCount: Int) {
        self.lastSection = lastSection
        self.itemCount = itemCount
    }

    /// The position of the item that comes so many after the first that passes.
    private static func position(
        of distance: Int, _ sections: [Section], from start: ItemPosition, _ filter: ItemFilter
    ) -> ItemPosition? {
        var distance = distance
        if filter.admitsWholeSections {
            var position = start
            while position.section < sections.count {
                let section = sections[position.section]
                let rest = filter.admits(section.id) ? section.count - position.item : 0
                if distance < rest { return ItemPosition(section: position.section, item: position.item + distance) }
                distance -= rest
                position = ItemPosition(section: position.section + 1, item: 0)
            }
            return nil
        }
        var walk = ItemWalk(sections, from: start, filter: filter)
        while let step = walk.next() {
            guard case .item(_, let position, _) = step else { continue }
            if distance == 0 { return position }
            distance -= 1
        }
        return nil
    }
}
