import JSONText

@testable import MedleyCore

/// A collection as plain arrays: the oracle for applying and for the changes. It shares no code with the structures.
struct NaiveCollection: Equatable {
    struct Item: Equatable {
        var id: ItemID
        var type: ItemType
        var liked: Bool
        var model: JSONMembers
    }

    struct Section: Equatable {
        var id: SectionID
        var members: JSONMembers
        var items: [Item] = []
    }

    var members = JSONMembers.empty
    var sections: [Section] = []

    init() {}

    init(_ snapshot: Snapshot) {
        members = snapshot.members
        sections = snapshot.orderedSections.map { section in
            Section(
                id: section.id, members: section.members,
                items: section.items().map { Item(id: $0.id, type: $0.type, liked: $0.liked, model: $0.model) })
        }
    }

    var allItems: [Item] { sections.flatMap(\.items) }

    /// Where an item is.
    func find(_ id: ItemID) -> (section: Int, index: Int)? {
        for (section, value) in sections.enumerated() {
            if let index = value.items.firstIndex(where: { $0.id == id }) { return (section, index) }
        }
        return nil
    }

    /// Carries out what a client asks for, as a service does: who states members in another order states the same.
    mutating func carryOut(_ change: Change) {
        let before = self
        apply(change)
        switch change.operation {
        case .update, .upsert, .updateSection: keepOrder(of: before)
        default: break
        }
    }

    /// Gives members that are those of another state, whatever their order, the order that they have there.
    mutating func keepOrder(of other: NaiveCollection) {
        func kept(_ members: JSONMembers, _ known: JSONMembers?) -> JSONMembers {
            func texts(_ members: JSONMembers) -> [String] {
                members.map { String(decoding: $0.name.text + [58] + $0.value, as: UTF8.self) }.sorted()
            }
            return known.flatMap { texts($0) == texts(members) ? $0 : nil } ?? members
        }
        members = kept(members, other.members)
        for section in sections.indices {
            let known = other.sections.first { $0.id == sections[section].id }
            sections[section].members = kept(sections[section].members, known?.members)
            for index in sections[section].items.indices {
                let item = sections[section].items[index]
                let known = other.find(item.id).map { other.sections[$0.section].items[$0.index] }
                sections[section].items[index].model = kept(item.model, known?.model)
            }
        }
    }

    /// The same with all members of items and sections sorted by name, to compare what may differ in their order only.
    var inOneOrder: NaiveCollection {
        func sorted(_ members: JSONMembers) -> JSONMembers {
            var sorted = JSONMembers.empty
            for member in members.sorted(by: { $0.name.text.lexicographicallyPrecedes($1.name.text) }) {
                sorted.append(nameText: member.name.text, value: member.value)
            }
            return sorted
        }
        var copy = self
        for section in sections.indices {
            copy.sections[section].members = sorted(sections[section].members)
            for index in sections[section].items.indices {
                copy.sections[section].items[index].model = sorted(sections[section].items[index].model)
            }
        }
        return copy
    }

    /// Applies a change that is known to be allowed, literally, as a client does that is told what to hold.
    mutating func apply(_ change: Change) {
        switch change.operation {
        case .insert(let contents, let place): stand(contents.compactMap(Self.item), at: place)
        case .upsert(let contents, let place): upsert(contents, at: place)
        case .delete(let ids): for id in ids { _ = take(id) }
        case .move(let ids, let place): stand(ids.compactMap { take($0) }, at: place)
        case .reorder(let id, let ids):
            guard let section = sections.firstIndex(where: { $0.id == id }) else { return }
            sections[section].items = ids.compactMap { id in sections[section].items.first { $0.id == id } }
        case .update(let contents):
            for content in contents { edit(content.id) { Self.update(&$0, content) } }
        case .merge(let ids, let patch):
            for id in ids {
                edit(id) { item in
                    item.model = patch.model.applied(to: item.model)
                    item.liked = patch.liked ?? item.liked
                }
            }
        case .setLiked(let ids, let liked): for id in ids { edit(id) { $0.liked = liked } }
        case .toggleLiked(let ids): for id in ids { edit(id) { $0.liked.toggle() } }
        case .insertSection(let contents, let place):
            stand(contents.map { Section(id: $0.id, members: $0.members) }, at: place)
        case .moveSection(let ids, let place):
            let moved = ids.compactMap { id in sections.first { $0.id == id } }
            sections.removeAll { ids.contains($0.id) }
            stand(moved, at: place)
        case .updateSection(let contents):
            for content in contents {
                if let index = sections.firstIndex(where: { $0.id == content.id }) {
                    sections[index].members = content.members
                }
            }
        case .deleteSection(let ids): sections.removeAll { ids.contains($0.id) }
        case .deleteAll: sections = []
        case .updateCollection(let patch):
            members = patch.applied(to: members)
            if members.value(of: "title") == nil { members = members.withTitleFirst() }
        }
    }

    private static func item(_ content: ItemContent) -> Item? {
        guard let type = content.type else { return nil }
        return Item(
            id: content.id, type: type, liked: content.liked ?? false,
            model: content.model)
    }

    private static func update(_ item: inout Item, _ content: ItemContent) {
        item.model = content.model
        item.liked = content.liked ?? item.liked
    }

    private mutating func upsert(_ contents: [ItemContent], at place: Place?) {
        var standing: [Item] = []
        for content in contents {
            if find(content.id) != nil {
                edit(content.id) { Self.update(&$0, content) }
                if place != nil, let item = take(content.id) { standing.append(item) }
            } else if let item = Self.item(content) {
                standing.append(item)
            }
        }
        if !standing.isEmpty { stand(standing, at: place ?? .last(in: nil)) }
    }

    private mutating func edit(_ id: ItemID, _ body: (inout Item) -> Void) {
        guard let place = find(id) else { return }
        body(&sections[place.section].items[place.index])
    }

    private mutating func take(_ id: ItemID) -> Item? {
        find(id).map { sections[$0.section].items.remove(at: $0.index) }
    }

    private mutating func stand(_ items: [Item], at place: Place) {
        func index(_ id: SectionID?, last: Bool) -> Int {
            id.flatMap { id in sections.firstIndex { $0.id == id } } ?? (last ? sections.count - 1 : 0)
        }
        switch place {
        case .last(let id): sections[index(id, last: true)].items += items
        case .first(let id): sections[index(id, last: false)].items.insert(contentsOf: items, at: 0)
        case .after(let anchor, _):
            if let place = find(anchor) {
                sections[place.section].items.insert(contentsOf: items, at: place.index + 1)
            }
        case .before(let anchor, _):
            if let place = find(anchor) { sections[place.section].items.insert(contentsOf: items, at: place.index) }
        }
    }

    private mutating func stand(_ new: [Section], at place: SectionPlace) {
        let index =
            switch place {
            case .first: 0
            case .last: sections.count
            case .after(let id): sections.firstIndex { $0.id == id }.map { $0 + 1 } ?? sections.count
            case .before(let id): sections.firstIndex { $0.id == id } ?? sections.count
            }
        sections.insert(contentsOf: new, at: index)
    }
}

extension NaiveCollection: CustomStringConvertible {
    var description: String {
        sections.map { section in
            let items = section.items.map { "\($0.id)\($0.liked ? "*" : "")" }
            return "\(section.id)[\(items.joined(separator: " "))]"
        }.joined(separator: " ") + " {\(String(decoding: members.bytes, as: UTF8.self))}"
    }
}
