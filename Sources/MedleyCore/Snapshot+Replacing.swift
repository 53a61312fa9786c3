import JSONText

extension Snapshot {
    /// The snapshot after a replacement by the minimal difference: what the content does not change is not touched; an
    /// absent `liked` leaves an existing item's as it is, and so does another order of its members. O(n log n) for n items
    /// of both.
    ///
    /// - Throws: `ChangeError` with a path from the content, such as `sections`, `0`, `items`, `3`, `type`.
    public func replacing(with content: SnapshotContent) throws(ChangeError) -> Snapshot {
        try requireValid(content)
        var draft = Draft(base: self)
        do throws(ChangeError) {
            for change in replacements(with: content) { try draft.apply(change, at: ChangePath()) }
        } catch {
            // What is left to refuse is a limit; the path of a change would tell a client nothing.
            throw ChangeError(error.code, at: [.member("sections")], subject: error.subject, limit: error.limit)
        }
        if draft.isOther(content.members, than: header.text) {
            try draft.replaceMembers(content.members, at: ChangePath())
        }
        return draft.commit() ?? self
    }

    private func requireValid(_ content: SnapshotContent) throws(ChangeError) {
        var seen = Set<ItemID>()
        var seenSections = Set<SectionID>()
        for (sectionIndex, section) in content.sections.enumerated() {
            let path = ChangePath() + .member("sections") + .index(sectionIndex)
            guard seenSections.insert(section.content.id).inserted else {
                throw ChangeError(.duplicateID, at: path + .member("id"), subject: section.content.id.description)
            }
            for (index, item) in section.items.enumerated() {
                let path = path + .member("items") + .index(index)
                guard seen.insert(item.id).inserted else {
                    throw ChangeError(.duplicateID, at: path + .member("id"), subject: item.id.description)
                }
                let known = self.item(item.id)?.type
                if item.type == nil || (known != nil && known != item.type) {
                    throw ChangeError(.invalidItem, at: path + .member("type"), subject: item.id.description)
                }
            }
        }
    }

    /// The changes that lead to the content, each thing moved only if it lies outside a longest run that is in order.
    private func replacements(with content: SnapshotContent) -> [Change] {
        var changes: [Change] = []
        let wanted = Set(content.sections.lazy.flatMap(\.items).map(\.id))
        let gone = orderedSections.flatMap { section in section.items().lazy.map(\.id).filter { !wanted.contains($0) } }
        if !gone.isEmpty { changes.append(Change(.delete(gone))) }

        changes += sectionPlacements(content.sections.map(\.content))
        for section in content.sections { changes += placements(section) }

        let wantedSections = Set(content.sections.map(\.content.id))
        let goneSections = sectionOrder.map(\.id).filter { !wantedSections.contains($0) }
        if !goneSections.isEmpty { changes.append(Change(.deleteSection(goneSections))) }
        let known = content.sections.map(\.content).filter { sections.find($0.id) != nil }
        changes.append(Change(.updateSection(known)))
        let edited = content.sections.flatMap(\.items).filter { differs($0) }
        if !edited.isEmpty { changes.append(Change(.update(edited))) }
        return changes
    }

    private func differs(_ content: ItemContent) -> Bool {
        guard let item = item(content.id) else { return false }
        return !content.model.hasSameMembers(as: item.model) || (content.liked ?? item.liked) != item.liked
    }

    private func sectionPlacements(_ wanted: [SectionContent]) -> [Change] {
        let labels = wanted.map { sections.find($0.id)?.state.label }
        let staying = stayingPositions(labels)
        return wanted.indices.filter { !staying.contains($0) }.map { index in
            let place: SectionPlace = index == 0 ? .first : .after(wanted[index - 1].id)
            return labels[index] == nil
                ? Change(.insertSection([wanted[index]], at: place))
                : Change(.moveSection([wanted[index].id], to: place))
        }
    }

    private func placements(_ section: SnapshotContent.Section) -> [Change] {
        let id = section.content.id
        let labels = section.items.map { content in
            item(content.id).flatMap { $0.section == id ? $0.state.label : nil }
        }
        let staying = stayingPositions(labels)
        var changes: [Change] = []
        var index = 0
        while index < section.items.count {
            guard !staying.contains(index) else {
                index += 1
                continue
            }
            let isNew = item(section.items[index].id) == nil
            var end = index + 1
            while end < section.items.count, !staying.contains(end), (item(section.items[end].id) == nil) == isNew {
                end += 1
            }
            let run = section.items[index..<end]
            let place: Place = index == 0 ? .first(in: id) : .after(section.items[index - 1].id, section: nil)
            changes.append(
                isNew ? Change(.insert(Array(run), at: place)) : Change(.move(run.map(\.id), to: place)))
            index = end
        }
        return changes
    }

    /// The positions of those that stay where they are; those without a label are new here.
    private func stayingPositions(_ labels: [UInt64?]) -> Set<Int> {
        let known = labels.indices.filter { labels[$0] != nil }
        return Set(longestIncreasingSubsequence(known.compactMap { labels[$0] }).map { known[$0] })
    }
}
