/// How an edit ends: what was touched is compared before and after, and what differs gets the new revision.
extension Draft {
    /// The snapshot that the edit makes, or `nil` if its net effect is nothing. O(k log n) for k touched ids.
    mutating func commit() -> Snapshot? {
        let settled = settledItems()
        let settledSections = settledSections()
        var isChanged = commitHeader()
        for (id, touch) in touchedItems.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
            if commitItem(id, touch, isSettled: settled.contains(id)) { isChanged = true }
        }
        for (id, touch) in touchedSections.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
            if commitSection(id, touch, isSettled: settledSections.contains(id)) { isChanged = true }
        }
        guard isChanged else { return nil }
        next.revision = Revision(lineage: base.revision.lineage, number: number)
        return next
    }

    /// Stamps the collection's own members; returns whether they differ from before.
    private mutating func commitHeader() -> Bool {
        guard isHeaderTouched else { return false }
        // From before the edit to after it, so that what was changed and changed back is not marked.
        let members = next.header.text
        next.header = base.header.updated(to: members, at: number)
        return members != base.header.text
    }

    /// Stamps an item and enters it in the ledger; returns whether it differs from before.
    private mutating func commitItem(_ id: ItemID, _ touch: Touch, isSettled: Bool) -> Bool {
        let old = base.item(id)
        guard let new = next.item(id) else {
            guard let old else { return false }  // came and went
            next.ledger.items.remove(old.touchKey)
            next.ledger.itemDeletions.insert(deletion(of: ItemID(utf8: id.utf8), old.created, touch))
            return true
        }
        guard let old else {
            next.ledger.items.insert(ItemByTouch(new))
            return true
        }
        var stamps = new.state.stamps
        if touch.recreated {
            // An item that went and came back is the same one only if nothing at all tells them apart.
            if isSettled, new.hasContent(of: old) {
                stamps = old.state.stamps
            } else {
                next.ledger.itemDeletions.insert(deletion(of: ItemID(utf8: id.utf8), old.created, touch))
            }
        } else {
            stamps = old.state.stamps
            if touch.placed, !isSettled { stamps.placed = number }
            if !new.hasContent(of: old) { stamps.changed = number }
        }
        var state = new.state
        state.stamps = stamps
        state.ordinal = stamps == old.state.stamps ? old.state.ordinal : touch.ordinal
        let final = state.stamps == new.state.stamps && state.ordinal == new.state.ordinal ? new : Item(state)
        if final !== new { next.replace(new, with: final) }
        if stamps == old.state.stamps {
            // Only its label may be another; the ledger must name the object that the store owns.
            if final !== old { next.ledger.items.replace(old.touchKey, with: ItemByTouch(final)) }
            return false
        }
        next.ledger.items.remove(old.touchKey)
        next.ledger.items.insert(ItemByTouch(final))
        return true
    }

    private func deletion<ID>(of id: ID, _ created: UInt64, _ touch: Touch) -> Deletion<ID> {
        Deletion(id: id, created: created, deleted: number, ordinal: touch.ordinal)
    }

    /// Stamps a section and enters it in the ledger; returns whether it differs from before.
    private mutating func commitSection(_ id: SectionID, _ touch: Touch, isSettled: Bool) -> Bool {
        let old = base.sections.find(id)?.state
        guard let new = next.sections.find(id)?.state else {
            guard let old else { return false }
            next.ledger.sections.remove(old.touchKey)
            next.ledger.sectionDeletions.insert(deletion(of: id, old.stamps.created, touch))
            return true
        }
        guard let old else {
            next.ledger.sections.insert(SectionByTouch(id: id, orderKey: new.touchKey))
            return true
        }
        var stamps = new.stamps
        let isSame = new.members == old.members
        if touch.recreated {
            if isSettled, isSame {
                stamps = old.stamps
            } else {
                next.ledger.sectionDeletions.insert(deletion(of: id, old.stamps.created, touch))
            }
        } else {
            stamps = old.stamps
            if touch.placed, !isSettled { stamps.placed = number }
            if !isSame { stamps.changed = number }
        }
        let ordinal = stamps == old.stamps ? old.ordinal : touch.ordinal
        if stamps != new.stamps || ordinal != new.ordinal {
            next.withSection(id) { state in
                state.stamps = stamps
                state.ordinal = ordinal
            }
        }
        guard stamps != old.stamps else { return false }
        next.ledger.sections.remove(old.touchKey)
        next.ledger.sections.insert(
            SectionByTouch(id: id, orderKey: TouchKey(revision: stamps.touched, ordinal: ordinal)))
        return true
    }

    // MARK: What was placed and yet stands where it stood

    /// Items that something placed and that nevertheless kept their place among those that nothing placed, as many as can.
    private func settledItems() -> Set<ItemID> {
        var candidates: [SectionID: [(item: Item, index: Int)]] = [:]
        for (id, touch) in touchedItems where touch.placed {
            guard let item = next.item(id), let tree = next.sections.find(item.section)?.state.items,
                let index = tree.index(of: item.state.label)
            else { continue }
            candidates[item.section, default: []].append((item, index))
        }
        var settled = Set<ItemID>()
        for (section, placed) in candidates {
            guard let tree = next.sections.find(section)?.state.items else { continue }
            let ordered = placed.sorted { $0.index < $1.index }
            let kept = keptPositions(indices: ordered.map(\.index), count: tree.count) { index in
                oldLabel(of: tree[index].item, in: section)
            }
            for position in kept { settled.insert(ordered[position].item.id) }
        }
        return settled
    }

    /// The label that an item had before the edit, if it was in this section then.
    private func oldLabel(of item: Item, in section: SectionID) -> UInt64? {
        guard let old = base.item(item.id), old.section == section else { return nil }
        return old.state.label
    }

    private func settledSections() -> Set<SectionID> {
        let order = next.sectionOrder
        let placed = touchedSections.compactMap { id, touch -> (id: SectionID, index: Int)? in
            guard touch.placed, let label = next.sections.find(id)?.state.label else { return nil }
            return order.index(of: label).map { (id, $0) }
        }.sorted { $0.index < $1.index }
        let kept = keptPositions(indices: placed.map(\.index), count: order.count) { index in
            base.sections.find(order[index].id)?.state.label
        }
        return Set(kept.map { placed[$0].id })
    }

    /// Which of the placed elements, given by ascending index, stand in their old order among all that were not placed, as
    /// many as possible: the longest increasing subsequence of those that fit between their unplaced neighbours.
    private func keptPositions(indices: [Int], count: Int, oldLabel: (Int) -> UInt64?) -> [Int] {
        var fitting: [(position: Int, label: UInt64)] = []
        var start = 0
        while start < indices.count {
            var end = start + 1
            while end < indices.count, indices[end] == indices[end - 1] + 1 { end += 1 }
            let lower = indices[start] > 0 ? oldLabel(indices[start] - 1) : nil
            let upper = indices[end - 1] + 1 < count ? oldLabel(indices[end - 1] + 1) : nil
            for position in start..<end {
                guard let label = oldLabel(indices[position]) else { continue }
                if let lower, label < lower { continue }
                if let upper, label > upper { continue }
                fitting.append((position, label))
            }
            start = end
        }
        return longestIncreasingSubsequence(fitting.map(\.label)).map { fitting[$0].position }
    }
}
