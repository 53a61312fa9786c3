import MedleyCore

/// What a page holds: where it starts, which section is its last, and where the next one starts.
struct Page: Hashable, Sendable {
    var start = ItemPosition(section: 0, item: 0)
    /// The index of the last section that is listed.
    var lastSection: Int
    /// The position where the next page starts, before which this one ends; `nil` if this is the last page.
    var next: ItemPosition?

    /// Everything.
    static func whole(sectionCount: Int) -> Page { Page(lastSection: sectionCount - 1) }

    /// The page of at most `limit` items from a position on. O(sections) where whole sections pass the filter, else
    /// O(items looked at), and then the page ends at `mostLookedAt` of them, however few it has.
    init(_ sections: OrderedSections, from start: ItemPosition, limit: Int, mostLookedAt: Int, filter: ItemFilter) {
        self.start = start
        lastSection = sections.count - 1
        let ends =
            filter.admitsWholeSections
            ? Self.ends(sections, from: start, limit: limit, filter)
            : Self.ends(sections, from: start, limit: limit, mostLookedAt: mostLookedAt, filter)
        guard let next = ends.next else { return }
        self.next = next
        // A section that goes on in the next page is listed in both; those between belong to the page before it.
        lastSection = next.section == ends.last?.section ? next.section : next.section - 1
    }

    private init(lastSection: Int) { self.lastSection = lastSection }

    /// Where the last item of a page and the first of the next one are.
    private typealias Ends = (last: ItemPosition?, next: ItemPosition?)

    private static func ends(
        _ sections: OrderedSections, from start: ItemPosition, limit: Int, _ filter: ItemFilter
    ) -> Ends {
        (
            position(of: limit - 1, sections, from: start, filter),
            position(of: limit, sections, from: start, filter)
        )
    }

    /// The position of the item that comes so many after the first, where whole sections pass.
    private static func position(
        of distance: Int, _ sections: OrderedSections, from start: ItemPosition, _ filter: ItemFilter
    ) -> ItemPosition? {
        var distance = distance
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

    private static func ends(
        _ sections: OrderedSections, from start: ItemPosition, limit: Int, mostLookedAt: Int, _ filter: ItemFilter
    ) -> Ends {
        var walk = ItemWalk(sections, from: start, filter: filter)
        var ends: Ends = (nil, nil)
        var (found, lookedAt) = (0, 0)
        while let step = walk.next() {
            switch step {
            case .item(_, let position, _):
                ends.next = position
                if found == limit || lookedAt == mostLookedAt { return ends }
                ends.last = position
                found += 1
                lookedAt += 1
            case .miss(let position):
                ends.next = position
                if lookedAt == mostLookedAt { return ends }
                lookedAt += 1
            case .begin, .end: continue
            }
        }
        return (ends.last, nil)
    }
}
