import JSONText

extension Draft {
    /// The sections of a list of ids that exist; the others are skipped or refused, an id twice is refused.
    private func find(
        _ ids: [SectionID], ignoresMissing: Bool, at path: ChangePath, member: StaticString? = nil
    ) throws(ChangeError) -> [SectionID] {
        try requireDistinct(ids, at: path, member: member)
        var found: [SectionID] = []
        for (index, id) in ids.enumerated() {
            if next.sections.find(id) != nil {
                found.append(id)
            } else if !ignoresMissing {
                let step = member.map { ChangePath.Step.member($0) }
                throw ChangeError(.sectionNotFound, at: path + .index(index) + step, subject: id.description)
            }
        }
        return found
    }

    /// The number of sections before a place.
    private func resolve(
        _ place: SectionPlace, _ ids: [SectionID], ignoresMissing: Bool, at path: ChangePath
    ) throws(ChangeError) -> Int {
        let anchor: SectionID
        let isAfter: Bool
        switch place {
        case .first: return 0
        case .last: return next.sectionOrder.count
        case .after(let id): (anchor, isAfter) = (id, true)
        case .before(let id): (anchor, isAfter) = (id, false)
        }
        let step = ChangePath.Step.member(isAfter ? "after" : "before")
        if ids.contains(anchor) {
            throw ChangeError(.anchorInList, at: path + step, subject: anchor.description)
        }
        guard let node = next.sections.find(anchor), let index = next.sectionOrder.index(of: node.state.label) else {
            if ignoresMissing { return next.sectionOrder.count }
            throw ChangeError(.sectionNotFound, at: path + step, subject: anchor.description)
        }
        return isAfter ? index + 1 : index
    }

    mutating func insertSections(
        _ contents: [SectionContent], at place: SectionPlace, ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        guard !contents.isEmpty else { return }
        let list = path + .member("sections")
        let ids = contents.map(\.id)
        try requireDistinct(ids, at: list, member: "id")
        for (index, id) in ids.enumerated() where next.sections.find(id) != nil {
            throw ChangeError(.sectionExists, at: list + .index(index) + .member("id"), subject: id.description)
        }
        let index = try resolve(place, ids, ignoresMissing: ignoresMissing, at: path)
        let labels = makeSectionRoom(for: contents.count, at: index)
        for (content, label) in zip(contents, labels) {
            let ordinal = touch(content.id) { $0.placed = true }
            let state = SectionNode.State(
                id: content.id, members: content.members, stamps: Stamps(new: number), ordinal: ordinal, label: label)
            next.sections.insert(SectionNode(state))
            next.sectionOrder.insert(SectionByLabel(id: content.id, label: label))
            next.encodedByteCount += state.encodedByteCount
        }
    }

    mutating func moveSections(
        _ ids: [SectionID], to place: SectionPlace, ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        let found = try find(ids, ignoresMissing: ignoresMissing, at: path + .member("ids"))
        guard !found.isEmpty else { return }
        for id in found {
            if let node = next.sections.find(id) { next.sectionOrder.remove(node.state.label) }
        }
        let index = try resolve(place, ids, ignoresMissing: ignoresMissing, at: path)
        // Labels are asked for once the sections are out of the order, so they take part in no labelling anew.
        let labels = makeSectionRoom(for: found.count, at: index)
        for (id, label) in zip(found, labels) {
            let ordinal = touch(id) { $0.placed = true }
            let number = self.number
            next.withSection(id) { state in
                state.label = label
                state.stamps.placed = number
                state.ordinal = ordinal
            }
            next.sectionOrder.insert(SectionByLabel(id: id, label: label))
        }
    }

    mutating func updateSections(
        _ contents: [SectionContent], ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        let found = Set(
            try find(
                contents.map(\.id), ignoresMissing: ignoresMissing, at: path + .member("sections"), member: "id"))
        for content in contents where found.contains(content.id) {
            guard let node = next.sections.find(content.id),
                isLiteral || isOther(content.members, than: node.state.members)
            else { continue }
            let ordinal = touch(content.id) { $0.isEdited = true }
            let number = self.number
            next.encodedByteCount += content.members.bytes.count - node.state.members.bytes.count
            next.withSection(content.id) { state in
                state.members = content.members
                state.stamps.changed = number
                state.ordinal = ordinal
            }
        }
    }

    mutating func deleteSections(_ ids: [SectionID], ignoresMissing: Bool, path: ChangePath) throws(ChangeError) {
        for id in try find(ids, ignoresMissing: ignoresMissing, at: path + .member("ids")) {
            guard let node = next.sections.find(id) else { continue }
            for entry in node.state.items {
                let item = entry.item
                noteRemoval(of: item)
                next.discard(item)
            }
            touch(id)
            next.sectionOrder.remove(node.state.label)
            next.sections.remove(id)
            next.encodedByteCount -= node.state.encodedByteCount
        }
    }

    mutating func deleteAll() {
        for entry in next.sectionOrder {
            guard let node = next.sections.find(entry.id) else { continue }
            for entry in node.state.items { noteRemoval(of: entry.item) }
            touch(entry.id)
        }
        next.stores = []
        next.sections = PersistentMap()
        next.sectionOrder = OrderedTree()
        next.encodedByteCount = 0
    }

    mutating func updateCollection(_ patch: JSONMergePatch, path: ChangePath) throws(ChangeError) {
        var members = patch.applied(to: next.header.text)
        if members.value(of: "title") == nil { members = members.withTitleFirst() }
        try replaceMembers(members, at: path + .member("set"))
    }

    /// Gives the collection these members of its own, `title` first.
    mutating func replaceMembers(_ members: JSONMembers, at path: ChangePath) throws(ChangeError) {
        if !isLiteral, members.bytes.count > Snapshot.maximumMembersByteCount {
            throw ChangeError(.tooLarge, at: path, limit: Snapshot.maximumMembersByteCount)
        }
        if !isLiteral, members.count(where: { _ in true }) > Snapshot.maximumMembers {
            throw ChangeError(.tooLarge, at: path, limit: Snapshot.maximumMembers)
        }
        isHeaderTouched = true
        next.header = next.header.updated(to: members, at: number)
    }
}

extension SectionNode.State {
    /// About the bytes of the section's JSON form without its items: id, members, `{"id":"","items":[]},`.
    var encodedByteCount: Int { id.utf8.count + members.bytes.count + 22 }
}

extension JSONMembers {
    /// The members with an empty `title` in front.
    func withTitleFirst() -> JSONMembers {
        let title = Array("\"title\":\"\"".utf8)
        return JSONMembers(trusted: isEmpty ? title : title + [UInt8(ascii: ",")] + bytes)
    }
}
