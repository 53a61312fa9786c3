import JSONText

extension Draft {
    // MARK: Finding

    /// The items of a list of ids; those that are gone are skipped or refused, an id twice is refused.
    func find(_ ids: [ItemID], ignoresMissing: Bool, at path: ChangePath) throws(ChangeError) -> [Item] {
        try requireDistinct(ids, at: path)
        var items: [Item] = []
        items.reserveCapacity(ids.count)
        for (index, id) in ids.enumerated() {
            if let item = next.item(id) {
                items.append(item)
            } else if !ignoresMissing {
                throw ChangeError(.itemNotFound, at: path + .index(index), subject: id.description)
            }
        }
        return items
    }

    /// Refuses an id that a list has twice.
    func requireDistinct<ID: Hashable & CustomStringConvertible>(
        _ ids: [ID], at path: ChangePath, member: StaticString? = nil
    ) throws(ChangeError) {
        guard ids.count > 1 else { return }
        let repeated: Int?
        if ids.count <= 8 {
            repeated = ids.indices.dropFirst().first { ids[..<$0].contains(ids[$0]) }
        } else {
            var seen = Set<ID>(minimumCapacity: ids.count)
            repeated = ids.firstIndex { !seen.insert($0).inserted }
        }
        guard let index = repeated else { return }
        let step = member.map { ChangePath.Step.member($0) }
        throw ChangeError(.duplicateID, at: path + .index(index) + step, subject: ids[index].description)
    }

    /// Refuses an anchor that is in the list which it anchors.
    func requireOutside(_ ids: [ItemID], _ place: Place, at path: ChangePath) throws(ChangeError) {
        switch place {
        case .after(let anchor, _) where ids.contains(anchor):
            throw ChangeError(.anchorInList, at: path + .member("after"), subject: anchor.description)
        case .before(let anchor, _) where ids.contains(anchor):
            throw ChangeError(.anchorInList, at: path + .member("before"), subject: anchor.description)
        default: break
        }
    }

    // MARK: The ops on items

    mutating func insert(
        _ contents: [ItemContent], at place: Place, ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        guard !contents.isEmpty else { return }
        let list = path + .member("items")
        let ids = contents.map(\.id)
        try requireDistinct(ids, at: list, member: "id")
        try requireOutside(ids, place, at: path)
        for (index, id) in ids.enumerated() where next.item(id) != nil {
            throw ChangeError(.itemExists, at: list + .index(index) + .member("id"), subject: id.description)
        }
        try stand(contents.map { .new($0) }, at: place, ignoresMissing: ignoresMissing, path: path, list: list)
    }

    mutating func upsert(
        _ contents: [ItemContent], at place: Place?, ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        let list = path + .member("items")
        let ids = contents.map(\.id)
        try requireDistinct(ids, at: list, member: "id")
        if let place { try requireOutside(ids, place, at: path) }
        var standing: [Standing] = []
        for (index, content) in contents.enumerated() {
            if let item = next.item(content.id) {
                let edited = try edit(item, to: content, at: list + .index(index))
                if place != nil { standing.append(.existing(edited)) }
            } else {
                standing.append(.new(content))
            }
        }
        try stand(standing, at: place ?? .last(in: nil), ignoresMissing: ignoresMissing, path: path, list: list)
    }

    mutating func move(_ ids: [ItemID], to place: Place, ignoresMissing: Bool, path: ChangePath) throws(ChangeError) {
        guard !ids.isEmpty else { return }
        let list = path + .member("ids")
        let items = try find(ids, ignoresMissing: ignoresMissing, at: list)
        try requireOutside(ids, place, at: path)
        try stand(
            items.map { .existing($0) }, at: place, ignoresMissing: ignoresMissing, path: path, list: list)
    }

    mutating func delete(_ ids: [ItemID], ignoresMissing: Bool, path: ChangePath) throws(ChangeError) {
        for item in try find(ids, ignoresMissing: ignoresMissing, at: path + .member("ids")) { remove(item) }
    }

    /// Takes an item away.
    mutating func remove(_ item: Item) {
        noteRemoval(of: item)
        next.take(item)
    }

    mutating func update(_ contents: [ItemContent], ignoresMissing: Bool, path: ChangePath) throws(ChangeError) {
        let list = path + .member("items")
        try requireDistinct(contents.map(\.id), at: list, member: "id")
        for (index, content) in contents.enumerated() {
            guard let item = next.item(content.id) else {
                if ignoresMissing { continue }
                throw ChangeError(
                    .itemNotFound, at: list + .index(index) + .member("id"), subject: content.id.description)
            }
            _ = try edit(item, to: content, at: list + .index(index))
        }
    }

    mutating func merge(
        _ ids: [ItemID], _ patch: ItemPatch, ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        for item in try find(ids, ignoresMissing: ignoresMissing, at: path + .member("ids")) {
            if let id = patch.id, id != item.id {
                throw ChangeError(.invalidItem, at: path + .member("set") + .member("id"), subject: item.id.description)
            }
            if let type = patch.type, type != item.type {
                throw ChangeError(
                    .invalidItem, at: path + .member("set") + .member("type"), subject: item.id.description)
            }
            let model = patch.model.members.isEmpty ? nil : patch.model.applied(to: item.model)
            try set(item, model: model, liked: patch.liked, at: path)
        }
    }

    /// Sets `liked` to what `value` makes of it.
    mutating func like(
        _ ids: [ItemID], ignoresMissing: Bool, path: ChangePath, _ value: (Bool) -> Bool
    ) throws(ChangeError) {
        for item in try find(ids, ignoresMissing: ignoresMissing, at: path + .member("ids")) {
            try set(item, liked: value(item.liked), at: path)
        }
    }

    // MARK: Their parts

    /// An item that is to stand at a place.
    enum Standing {
        case new(ItemContent)
        case existing(Item)
    }

    /// Makes items stand together, in this order, at a place.
    private mutating func stand(
        _ items: [Standing], at place: Place, ignoresMissing: Bool, path: ChangePath, list: ChangePath
    ) throws(ChangeError) {
        guard !items.isEmpty else { return }
        // They leave their places first, so that the place is counted without them.
        for case .existing(let item) in items { next.withdraw(item) }
        let place = try resolve(place, ignoresMissing: ignoresMissing, at: path)
        let labels = makeRoom(for: items.count, at: place)
        for (index, (item, label)) in zip(items, labels).enumerated() {
            switch item {
            case .new(let content):
                try create(content, section: place.section, label: label, at: list + .index(index))
            case .existing(let item):
                var state = item.state
                state.section = place.section
                state.label = label
                state.stamps.placed = number
                let position = touch(item)
                state.ordinal = touchedItems[position].ordinal
                let placed = Item(state)
                touchedItems[position].isPlaced = true
                touchedItems[position].new = placed
                next.settle(placed)
            }
        }
    }

    private mutating func create(
        _ content: ItemContent, section: SectionID, label: UInt64, at path: ChangePath
    ) throws(ChangeError) {
        guard let type = content.type else {
            throw ChangeError(.invalidItem, at: path + .member("type"), subject: content.id.description)
        }
        if !isLiteral, next.stores.count >= Snapshot.maximumTypes, next.store(type) == nil {
            throw ChangeError(
                .invalidItem, at: path, subject: content.id.description, limit: Snapshot.maximumTypes)
        }
        try requireRoom(for: content.model, of: content.id, at: path)
        let position = touch(content.id, was: nil)
        let state = Item.State(
            text: ByteString(content.id.utf8, content.model.bytes), idCount: UInt16(content.id.count),
            liked: content.liked ?? false, ordinal: touchedItems[position].ordinal, type: type,
            section: next.sections.find(section)?.state.id ?? section, label: label, stamps: Stamps(new: number))
        let item = Item(state)
        touchedItems[position].isPlaced = true
        touchedItems[position].new = item
        next.add(item)
    }

    /// Gives an item the content that a client states, and returns its state then.
    private mutating func edit(_ item: Item, to content: ItemContent, at path: ChangePath) throws(ChangeError) -> Item {
        if let type = content.type, type != item.type {
            throw ChangeError(.invalidItem, at: path + .member("type"), subject: item.id.description)
        }
        return try set(item, model: content.model, liked: content.liked, at: path)
    }

    /// Refuses a model, or a collection with it, that is larger than it may be.
    private func requireRoom(for model: JSONMembers, of id: ItemID, at path: ChangePath) throws(ChangeError) {
        if isLiteral { return }
        if model.bytes.count > Snapshot.maximumModelByteCount {
            throw ChangeError(
                .tooLarge, at: path, subject: id.description, limit: Snapshot.maximumModelByteCount)
        }
        if next.encodedByteCount + model.bytes.count > Snapshot.maximumByteCount {
            throw ChangeError(.collectionFull, at: path, subject: id.description, limit: Snapshot.maximumByteCount)
        }
    }

    /// Gives an item another model or `liked`; `nil` leaves them.
    @discardableResult
    private mutating func set(
        _ item: Item, model: JSONMembers? = nil, liked: Bool? = nil, at path: ChangePath
    ) throws(ChangeError) -> Item {
        if let model { try requireRoom(for: model, of: item.id, at: path) }
        var state = item.state
        if let liked { state.liked = liked }
        if let model, isOther(model, than: item.model) { state.text = ByteString(item.id.utf8, model.bytes) }
        guard isLiteral || state.liked != item.liked || !(state.text === item.state.text) else { return item }
        state.stamps.changed = number
        let position = touch(item)
        touchedItems[position].isEdited = true
        state.ordinal = touchedItems[position].ordinal
        let edited = Item(state)
        touchedItems[position].new = edited
        next.replace(item, with: edited)
        return edited
    }

    // MARK: reorder

    /// Gives a section's items a new order by moving as few as possible.
    mutating func reorder(
        _ id: SectionID, _ ids: [ItemID], ignoresMissing: Bool, path: ChangePath
    ) throws(ChangeError) {
        guard let section = next.sections.find(id) else {
            if ignoresMissing { return }
            throw ChangeError(.sectionNotFound, at: path + .member("section"), subject: id.description)
        }
        let list = path + .member("ids")
        let items = try find(ids, ignoresMissing: ignoresMissing, at: list)
        if let stranger = items.first(where: { $0.section != id }) {
            throw ChangeError(.notAPermutation, at: list, subject: stranger.id.description)
        }
        guard items.count == section.state.items.count else {
            throw ChangeError(.notAPermutation, at: list, subject: id.description)
        }
        let staying = Set(longestIncreasingSubsequence(items.map(\.state.label)))
        var index = 0
        while index < items.count {
            // Any of them may have been moved before in the same request, so all are compared again at the end.
            touchedItems[touch(items[index])].isPlaced = true
            guard !staying.contains(index) else {
                index += 1
                continue
            }
            var end = index
            while end < items.count, !staying.contains(end) { end += 1 }
            let run = items[index..<end].map(\.id)
            let place: Place = index == 0 ? .first(in: id) : .after(items[index - 1].id, section: nil)
            try move(run, to: place, ignoresMissing: false, path: path)
            index = end
        }
    }
}
