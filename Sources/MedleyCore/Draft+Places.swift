/// A place resolved on the draft: between two neighbours in one section.
struct ResolvedPlace {
    let section: SectionID
    /// The number of items before it.
    let index: Int
}

extension Draft {
    /// Where a place is now; with `ignoresMissing` the end of a section stands for what is gone.
    ///
    /// - Parameter path: where the change is, for errors.
    func resolve(
        _ place: Place, ignoresMissing: Bool, at path: ChangePath
    ) throws(ChangeError) -> ResolvedPlace {
        switch place {
        case .first(let section):
            return ResolvedPlace(section: try anchorSection(section, first: true, ignoresMissing, path), index: 0)
        case .last(let section):
            return end(of: try anchorSection(section, first: false, ignoresMissing, path))
        case .after(let anchor, let section), .before(let anchor, let section):
            let isAfter = if case .after = place { true } else { false }
            guard let item = next.item(anchor) else {
                guard ignoresMissing else {
                    throw ChangeError(
                        .itemNotFound, at: path + .member(isAfter ? "after" : "before"), subject: anchor.description)
                }
                return end(of: try anchorSection(section, first: false, ignoresMissing, path))
            }
            if let section, section != item.section {
                try requireSection(section, ignoresMissing, path)
                throw ChangeError(.wrongSection, at: path + .member("section"), subject: section.description)
            }
            let index = next.sections.find(item.section)?.state.items.index(of: item.state.label) ?? 0
            return ResolvedPlace(section: item.section, index: isAfter ? index + 1 : index)
        }
    }

    private func end(of section: SectionID) -> ResolvedPlace {
        ResolvedPlace(section: section, index: next.sections.find(section)?.state.items.count ?? 0)
    }

    private func requireSection(
        _ section: SectionID, _ ignoresMissing: Bool, _ path: ChangePath
    ) throws(ChangeError) {
        if next.sections.find(section) == nil, !ignoresMissing {
            throw ChangeError(.sectionNotFound, at: path + .member("section"), subject: section.description)
        }
    }

    /// The named section, or the first or last one.
    private func anchorSection(
        _ section: SectionID?, first: Bool, _ ignoresMissing: Bool, _ path: ChangePath
    ) throws(ChangeError) -> SectionID {
        if let section {
            try requireSection(section, ignoresMissing, path)
            if next.sections.find(section) != nil { return section }
        }
        // A section that is gone is stood for by the last one.
        let stand = first && section == nil ? next.sectionOrder.first : next.sectionOrder.last
        guard let stand else { throw ChangeError(.noSection, at: path) }
        return stand.id
    }

    /// Labels for `count` new items at a place; neighbours are labelled anew if there is no room.
    mutating func makeRoom(for count: Int, at place: ResolvedPlace) -> [UInt64] {
        var width = 32
        while true {
            guard let items = next.sections.find(place.section)?.state.items else { return [] }
            let lower = place.index > 0 ? items[place.index - 1].orderKey : nil
            let upper = place.index < items.count ? items[place.index].orderKey : nil
            if let labels = OrderLabel.labels(count, after: lower, before: upper) { return labels }
            relabel(around: place, width: width, reserving: count)
            width *= 4
        }
    }

    /// The least distance between labels that makes labelling a stretch anew worth it.
    private static var leastRoom: UInt64 { 1 << 12 }

    /// Spreads the labels of up to `width` items on either side of a place evenly over the room they have together,
    /// leaving room for `count` more at the place. Amortised O(log n) for each insert (Bender et al. 2002).
    private mutating func relabel(around place: ResolvedPlace, width: Int, reserving count: Int) {
        guard let items = next.sections.find(place.section)?.state.items else { return }
        let from = max(0, place.index - width)
        let to = min(items.count, place.index + width)
        let lower = from > 0 ? items[from - 1].orderKey : nil
        let upper = to < items.count ? items[to].orderKey : nil
        let olds = (from..<to).map { items[$0].item }
        guard let labels = OrderLabel.labels(olds.count + count, after: lower, before: upper) else { return }
        // Labels that leave little room would be used up at once: a wider stretch has more.
        guard olds.count == items.count || labels.count < 2 || labels[1] - labels[0] >= Self.leastRoom else { return }
        let split = place.index - from
        for old in olds { next.withdraw(old) }
        for (offset, old) in olds.enumerated() {
            var state = old.state
            state.label = labels[offset < split ? offset : offset + count]
            let relabelled = Item(state)
            touchedItems[touch(old)].new = relabelled
            next.settle(relabelled)
        }
    }

    /// Labels for `count` new sections before the section at an index.
    mutating func makeSectionRoom(for count: Int, at index: Int) -> [UInt64] {
        while true {
            let order = next.sectionOrder
            let lower = index > 0 ? order[index - 1].label : nil
            let upper = index < order.count ? order[index].label : nil
            if let labels = OrderLabel.labels(count, after: lower, before: upper) { return labels }
            relabelSections()
        }
    }

    /// Spreads the labels of all sections; rare, since each stretch of room takes dozens of inserts at one place.
    private mutating func relabelSections() {
        let ids = next.sectionOrder.map(\.id)
        guard let labels = OrderLabel.labels(ids.count, after: nil, before: nil) else { return }
        next.sectionOrder = OrderedTree(
            sorted: zip(ids, labels).map { SectionByLabel(id: $0, label: $1) })
        for (id, label) in zip(ids, labels) {
            next.withSection(id) { $0.label = label }
            touch(id)
        }
    }
}
