/// The net difference between an earlier revision of a collection and a snapshot of it.
public enum Difference: Sendable {
    /// The changes, in the protocol's normal form; none if nothing differs.
    case changes([Change])
    /// Some deletions since then are no longer kept.
    case forgotten
    /// The snapshot is older than that revision.
    case unknown
}

extension Snapshot {
    /// The net changes since a revision number of the same lineage, in the protocol's normal form: applied one after the
    /// other to the snapshot of that revision they give this one. O(k log n) for k ids touched since.
    ///
    /// - Parameter byteLimit: when the changes are sure to be longer than this as JSON, `nil` is returned before they are
    ///   built: the caller will rather send everything.
    public func changes(since number: UInt64, byteLimit: Int = .max) -> Difference? {
        if number > revision.number { return .unknown }
        if number < ledger.floor { return .forgotten }
        if number == revision.number { return .changes([]) }
        guard let (placed, edited) = touchedItems(since: number, byteLimit: byteLimit) else { return nil }
        var changes: [Change] = []

        var deleted: [ItemID] = []
        ledger.itemDeletions.forEach(after: number) { if $0.existed(at: number) { deleted.append($0.id) } }
        if !deleted.isEmpty { changes.append(Change(.delete(deleted))) }

        let (placedSections, editedSections, deletedSections) = sectionChanges(since: number)
        changes += placedSections
        changes += placements(placed, since: number)
        if !deletedSections.isEmpty { changes.append(Change(.deleteSection(deletedSections))) }
        if !editedSections.isEmpty { changes.append(Change(.updateSection(editedSections))) }
        if !edited.isEmpty { changes.append(Change(.update(edited.map(\.content)))) }
        changes += header.patches(since: number).map { Change(.updateCollection($0)) }
        return .changes(changes)
    }

    /// The changes that make this snapshot out of nothing: what a reset carries. O(n).
    public func changesFromNothing() -> [Change] {
        let sections = orderedSections
        var changes: [Change] = []
        if !sections.isEmpty { changes.append(Change(.insertSection(sections.map(\.content), at: .first))) }
        for section in sections where section.count > 0 {
            changes.append(Change(.insert(section.items().map(\.content), at: .first(in: section.id))))
        }
        changes += header.patches(since: 0).map { Change(.updateCollection($0)) }
        return changes
    }

    /// The living items placed and those edited since a revision, each in the collection's order; `nil` past the limit.
    private func touchedItems(since number: UInt64, byteLimit: Int) -> (placed: [Item], edited: [Item])? {
        var placed: [Item] = []
        var edited: [Item] = []
        var bytes = 0
        var iterator = ledger.items.makeIterator(
            from: ledger.items.indexOfFirst(notBefore: TouchKey(revision: number + 1, ordinal: 0)))
        while let item = iterator.next()?.item {
            if item.created > number {
                bytes += item.modelByteCount
                placed.append(item)
            } else {
                if item.placed > number { placed.append(item) }
                if item.changed > number {
                    bytes += item.modelByteCount
                    edited.append(item)
                }
            }
            if bytes > byteLimit { return nil }
        }
        return (inOrder(placed), inOrder(edited))
    }

    /// Inserts and moves in the new order, neighbours joined, each after its predecessor.
    private func placements(_ items: [Item], since number: UInt64) -> [Change] {
        var changes: [Change] = []
        var run: [Item] = []
        var place = Place.last(in: nil)

        func isNew(_ item: Item) -> Bool { item.created > number }
        func close() {
            guard let first = run.first else { return }
            let operation: Change.Operation =
                isNew(first) ? .insert(run.map(\.content), at: place) : .move(run.map(\.id), to: place)
            changes.append(Change(operation))
            run = []
        }

        for item in items {
            let predecessor = sections.find(item.section)?.state.items.element(before: item.state.label)?.item
            if let last = run.last, let predecessor, predecessor === last, isNew(last) == isNew(item) {
                run.append(item)
                continue
            }
            close()
            place = predecessor.map { .after($0.id, section: nil) } ?? .first(in: item.section)
            run = [item]
        }
        close()
        return changes
    }

    private func sectionChanges(
        since number: UInt64
    ) -> (placed: [Change], edited: [SectionContent], deleted: [SectionID]) {
        var goneOrBack: [SectionID] = []
        ledger.sectionDeletions.forEach(after: number) { if $0.existed(at: number) { goneOrBack.append($0.id) } }
        let back = Set(goneOrBack.filter { sections.find($0) != nil })
        var touched: [SectionNode.State] = []
        ledger.sections.forEach(after: number) { entry in
            if let state = sections.find(entry.id)?.state { touched.append(state) }
        }
        touched.sort { $0.label < $1.label }
        let placed = touched.filter { $0.stamps.placed > number }
        let edited = touched.filter {
            $0.stamps.created <= number ? $0.stamps.changed > number : back.contains($0.id)
        }
        return (
            sectionPlacements(placed) { $0.stamps.created > number && !back.contains($0.id) },
            edited.map { SectionContent(id: $0.id, members: $0.members) },
            goneOrBack.filter { !back.contains($0) }
        )
    }

    /// Inserts and moves of sections in the new order, neighbours joined, each after its predecessor.
    private func sectionPlacements(
        _ states: [SectionNode.State], isNew: (SectionNode.State) -> Bool
    ) -> [Change] {
        var changes: [Change] = []
        var run: [SectionNode.State] = []
        var place = SectionPlace.first

        func close() {
            guard let first = run.first else { return }
            let operation: Change.Operation =
                isNew(first)
                ? .insertSection(run.map { SectionContent(id: $0.id, members: $0.members) }, at: place)
                : .moveSection(run.map(\.id), to: place)
            changes.append(Change(operation))
            run = []
        }

        for state in states {
            let predecessor = sectionOrder.element(before: state.label)
            if let last = run.last, predecessor?.label == last.label, isNew(last) == isNew(state) {
                run.append(state)
                continue
            }
            close()
            place = predecessor.map { .after($0.id) } ?? .first
            run = [state]
        }
        close()
        return changes
    }
}
