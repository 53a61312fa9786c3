/// How an edit ends: what was touched is compared before and after, and what differs gets the new revision. What a replay
/// touched (`isLiteral`) gets it as the changes say.
extension Draft {
    /// The snapshot that the edit makes, or `nil` if its net effect is nothing. O(k log n) for k touched ids.
    mutating func commit() -> Snapshot? {
        if !isLiteral { markSettledItems() }
        let settledSections = isLiteral ? [] : settledSections()
        var isChanged = commitHeader()
        for position in touchedItems.indices {
            if commitItem(touchedItems[position]) { isChanged = true }
        }
        for (id, touch) in touchedSections.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
            if commitSection(id, touch, isSettled: settledSections.contains(id)) { isChanged = true }
        }
        guard isChanged || isLiteral else { return nil }
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
    private mutating func commitItem(_ touch: TouchedItems.Touch) -> Bool {
        guard let new = touch.new else {
            guard let old = touch.old else { return false }  // came and went
            next.ledger.items.remove(old.touchKey)
            next.ledger.itemDeletions.insert(deletion(of: ItemID(utf8: touch.id.utf8), old.created, touch.ordinal))
            return true
        }
        guard let old = touch.old else {
            next.ledger.items.insert(ItemByTouch(new))
            return true
        }
        var stamps = new.state.stamps
        if touch.wasRemoved {
            // An item that went and came back is the same one only if nothing at all tells them apart.
            if touch.isSettled, new.hasContent(of: old) {
                stamps = old.state.stamps
            } else {
                next.ledger.itemDeletions.insert(deletion(of: ItemID(utf8: touch.id.utf8), old.created, touch.ordinal))
            }
        } else {
            stamps = old.state.stamps
            if touch.isPlaced, !touch.isSettled { stamps.placed = number }
            if isLiteral ? touch.isEdited : !new.hasContent(of: old) { stamps.changed = number }
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

    private func deletion<ID>(of id: ID, _ created: UInt64, _ ordinal: UInt32) -> Deletion<ID> {
        Deletion(id: id, created: created, deleted: number, ordinal: ordinal)
    }

    /// Stamps a section and enters it in the ledger; returns whether it differs from before.
    ///
    /// One that went and came back in the same edit is the same section, whatever became of its items.
    private mutating func commitSection(_ id: SectionID, _ touch: SectionTouch, isSettled: Bool) -> Bool {
        let old = base.sections.find(id)?.state
        guard let new = next.sections.find(id)?.state else {
            guard let old else { return false }
            next.ledger.sections.remove(old.touchKey)
            next.ledger.sectionDeletions.insert(deletion(of: id, old.stamps.created, touch.ordinal))
            return true
        }
        guard let old else {
            next.ledger.sections.insert(SectionByTouch(id: id, orderKey: new.touchKey))
            return true
        }
        var stamps = old.stamps
        if touch.placed, !isSettled { stamps.placed = number }
        if isLiteral ? touch.isEdited : new.members != old.members { stamps.changed = number }
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

    /// Marks the items that something placed and that nevertheless kept their place among those that nothing placed, as
    /// many as can.
    private mutating func markSettledItems() {
        let placed = touchedItems.indices.filter { touchedItems[$0].isPlaced && touchedItems[$0].new != nil }
        guard placed.count > 1 else {
            if let position = placed.first, let section = touchedItems[position].new?.section {
                markSettledItems(placed, in: section)
            }
            return
        }
        let groups = Dictionary(grouping: placed) { touchedItems[$0].new?.section }
        for case (let section?, let placed) in groups { markSettledItems(placed, in: section) }
    }

    private mutating func markSettledItems(_ touches: [Int], in section: SectionID) {
        guard let tree = next.sections.find(section)?.state.items else { return }
        var placed = touches.compactMap { touch in
            touchedItems[touch].new.flatMap { tree.index(of: $0.state.label) }.map { (touch: touch, index: $0) }
        }
        if placed.count > 1 { placed.sort { $0.index < $1.index } }
        let moved = placed.map {
            Placed(index: $0.index, oldLabel: oldLabel(of: touchedItems[$0.touch].old, in: section))
        }
        let kept = keptPositions(moved, count: tree.count) { index in
            let neighbour = tree[index]
            // Where only the placed ones were touched, and a neighbour is none of them, it is as it was.
            if touchedItems.indices.count == touches.count { return neighbour.orderKey }
            guard let touch = touchedItems.position(of: neighbour.item.id) else { return neighbour.orderKey }
            return oldLabel(of: touchedItems[touch].old, in: section)
        }
        for position in kept { touchedItems[placed[position].touch].isSettled = true }
    }

    /// The label that an item had before the edit, if it was in this section then.
    private func oldLabel(of old: Item?, in section: SectionID) -> UInt64? {
        guard let old, old.section == section else { return nil }
        return old.state.label
    }

    private func settledSections() -> Set<SectionID> {
        if touchedSections.isEmpty { return [] }
        let order = next.sectionOrder
        let placed = touchedSections.compactMap { id, touch -> (id: SectionID, index: Int)? in
            guard touch.placed, let label = next.sections.find(id)?.state.label else { return nil }
            return order.index(of: label).map { (id, $0) }
        }.sorted { $0.index < $1.index }
        let oldLabel = { (index: Int) in base.sections.find(order[index].id)?.state.label }
        let moved = placed.map { Placed(index: $0.index, oldLabel: oldLabel($0.index)) }
        return Set(keptPositions(moved, count: order.count, oldLabel: oldLabel).map { placed[$0].id })
    }

    /// Something that was placed: where it stands now, and its label before if it stood among the same siblings.
    private struct Placed {
        let index: Int
        let oldLabel: UInt64?
    }

    /// Which of the placed elements, given by ascending index, stand in their old order among all that were not placed, as
    /// many as possible: the longest increasing subsequence of those that fit between their unplaced neighbours.
    ///
    /// - Parameter oldLabel: the label that what stands at an index, not placed, had before.
    private func keptPositions(_ placed: [Placed], count: Int, oldLabel: (Int) -> UInt64?) -> [Int] {
        var fitting: [(position: Int, label: UInt64)] = []
        var start = 0
        while start < placed.count {
            var end = start + 1
            while end < placed.count, placed[end].index == placed[end - 1].index + 1 { end += 1 }
            let known = (start..<end).filter { placed[$0].oldLabel != nil }
            if !known.isEmpty {
                let (first, last) = (placed[start].index, placed[end - 1].index)
                let lower = first > 0 ? oldLabel(first - 1) : nil
                let upper = last + 1 < count ? oldLabel(last + 1) : nil
                for position in known {
                    guard let label = placed[position].oldLabel else { continue }
                    if let lower, label < lower { continue }
                    if let upper, label > upper { continue }
                    fitting.append((position, label))
                }
            }
            start = end
        }
        guard fitting.count > 1 else { return fitting.map(\.position) }
        return longestIncreasingSubsequence(fitting.map(\.label)).map { fitting[$0].position }
    }
}
