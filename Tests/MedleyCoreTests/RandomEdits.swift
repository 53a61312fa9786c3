import JSONText

@testable import MedleyCore

/// Makes random changes that a collection allows, and notes what they may move.
struct RandomEdits {
    var generator: SeededGenerator
    private var nextID = 0
    /// Ids of items that some change named as moved, reordered, inserted or placed since the last `takePlaced`.
    private var placed = Set<ItemID>()

    init(seed: UInt64) { generator = SeededGenerator(seed) }

    mutating func takePlaced() -> Set<ItemID> {
        defer { placed = [] }
        return placed
    }

    /// One request's changes; each is allowed after those before it.
    mutating func request(on collection: NaiveCollection) -> [Change] {
        var state = collection
        var changes: [Change] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let next = generator.chance(8) ? remaking(state) : [change(on: state)]
            for change in next { state.apply(change) }
            changes += next
        }
        return changes
    }

    /// The whole collection as a client might state it after some edits of its own: for a PUT.
    mutating func replacement(of collection: NaiveCollection) -> SnapshotContent {
        var state = collection
        for change in request(on: collection) { state.apply(change) }
        if generator.chance(30) { state.sections.shuffle(using: &generator) }
        let types = Dictionary(uniqueKeysWithValues: collection.allItems.map { ($0.id, $0.type) })
        return SnapshotContent(
            members: state.members,
            sections: state.sections.map { section in
                // A PUT cannot give an item another type.
                SnapshotContent.Section(
                    content: SectionContent(id: section.id, members: section.members),
                    items: section.items.filter { types[$0.id] == nil || types[$0.id] == $0.type }.map {
                        ItemContent(
                            id: $0.id, type: $0.type, liked: generator.chance(50) ? $0.liked : nil, model: $0.model)
                    })
            })
    }

    /// Deletes something and inserts it again, the same or another, where it was or elsewhere.
    private mutating func remaking(_ collection: NaiveCollection) -> [Change] {
        guard let section = collection.sections.randomElement(using: &generator),
            let index = collection.sections.firstIndex(where: { $0.id == section.id })
        else { return [change(on: collection)] }
        if generator.chance(60) {
            let before = index > 0 ? collection.sections[index - 1].id : nil
            let place =
                generator.chance(60)
                ? before.map { SectionPlace.after($0) } ?? .first
                : sectionPlace(collection, outside: [section.id])
            let content =
                generator.chance(50)
                ? SectionContent(id: section.id, members: section.members) : sectionContent(section.id)
            let items = section.items.filter { _ in generator.chance(70) }.map { remade($0) }
            placed.formUnion(items.map(\.id))
            return [Change(.deleteSection([section.id])), Change(.insertSection([content], at: place))]
                + (items.isEmpty ? [] : [Change(.insert(items, at: .last(in: section.id)))])
        }
        guard let item = section.items.randomElement(using: &generator),
            let position = section.items.firstIndex(of: item)
        else { return [change(on: collection)] }
        placed.insert(item.id)
        let before = position > 0 ? section.items[position - 1].id : nil
        let place =
            generator.chance(60)
            ? before.map { Place.after($0, section: nil) } ?? .first(in: section.id)
            : self.place(collection, outside: [item.id])
        return [Change(.delete([item.id])), Change(.insert([remade(item)], at: place))]
    }

    private mutating func remade(_ item: NaiveCollection.Item) -> ItemContent {
        generator.chance(60)
            ? ItemContent(id: item.id, type: item.type, liked: item.liked, model: item.model) : content(item.id)
    }

    mutating func content(_ id: ItemID? = nil, type: ItemType? = nil) -> ItemContent {
        let known = ["music", "video", "shortVideo"].compactMap { ItemType($0) }
        let liked: Bool? = generator.chance(30) ? generator.chance(50) : nil
        return ItemContent(
            id: id ?? freshID(), type: type ?? known.randomElement(using: &generator), liked: liked, model: model())
    }

    /// An item's content after an edit: now and then only the order of its members is another.
    private mutating func edited(_ id: ItemID, _ collection: NaiveCollection) -> ItemContent {
        var content = content(id, type: collection.type(of: id))
        if generator.chance(30) { content.model = shuffled(collection.allItems.first { $0.id == id }?.model) }
        return content
    }

    /// The members in another order.
    private mutating func shuffled(_ members: JSONMembers?) -> JSONMembers {
        var shuffled = JSONMembers.empty
        for member in (members ?? .empty).shuffled(using: &generator) {
            shuffled.append(nameText: member.name.text, value: member.value)
        }
        return shuffled
    }

    mutating func model() -> JSONMembers {
        let count = Int.random(in: 0...3, using: &generator)
        return members((0..<count).map { "m\($0)" })
    }

    mutating func members(_ names: [String]) -> JSONMembers {
        var members = JSONMembers.empty
        for name in names { members.append(name: name, value: value().utf8) }
        return members
    }

    private mutating func value() -> String {
        ["1.10", "\"x\"", "[1,{\"a\":null}]", "true", "{\"k\":1}", "9007199254740993", "\"\\u00e9\""]
            .randomElement(using: &generator) ?? "0"
    }

    /// Now and then an id that existed before, so that intervals of existence repeat.
    private mutating func freshID() -> ItemID {
        if nextID > 10, generator.chance(30) { return ItemID("i\(Int.random(in: 0..<nextID, using: &generator))") }
        nextID += 1
        return ItemID("i\(nextID)")
    }

    private mutating func newContents(_ collection: NaiveCollection) -> [ItemContent] {
        var contents: [ItemContent] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let content = self.content()
            if collection.find(content.id) == nil, !contents.contains(where: { $0.id == content.id }) {
                contents.append(content)
            }
        }
        return contents
    }

    private mutating func some(_ ids: [ItemID], _ most: Int = 4) -> [ItemID] {
        Array(ids.shuffled(using: &generator).prefix(Int.random(in: 1...most, using: &generator)))
    }

    private mutating func place(_ collection: NaiveCollection, outside ids: [ItemID]) -> Place {
        let anchors = collection.allItems.map(\.id).filter { !ids.contains($0) }
        let section = collection.sections.randomElement(using: &generator)?.id
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .first(in: generator.chance(50) ? section : nil)
        case 1: return .last(in: generator.chance(50) ? section : nil)
        case 2, 3:
            return anchors.randomElement(using: &generator).map { .after($0, section: nil) } ?? .last(in: section)
        default:
            return anchors.randomElement(using: &generator).map { .before($0, section: nil) } ?? .first(in: section)
        }
    }

    private mutating func sectionPlace(_ collection: NaiveCollection, outside ids: [SectionID]) -> SectionPlace {
        let anchors = collection.sections.map(\.id).filter { !ids.contains($0) }
        guard let anchor = anchors.randomElement(using: &generator) else { return .last }
        return [.first, .last, .after(anchor), .before(anchor)].randomElement(using: &generator) ?? .last
    }

    private mutating func sectionContent(_ id: SectionID) -> SectionContent {
        var members = JSONMembers.empty
        members.append(name: "title", value: "\"t\(Int.random(in: 0..<5, using: &generator))\"".utf8)
        if generator.chance(30) { members.append(name: "color", value: value().utf8) }
        return SectionContent(id: id, members: members)
    }

    private mutating func headerPatch() -> JSONMergePatch {
        let names = ["title", "a", "b", "c"].shuffled(using: &generator).prefix(2)
        return JSONMergePatch(
            members: names.map { name in
                let action: JSONMergePatch.Action
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: action = .remove
                case 1 where name != "title":
                    let inner = Array((generator.chance(50) ? "x" : "y").utf8)
                    let value: JSONMergePatch.Action = generator.chance(30) ? .remove : .set(Array("1".utf8))
                    action = .merge(
                        JSONMergePatch(members: [.init(nameText: [34] + inner + [34], name: inner, action: value)]))
                default: action = .set(Array("\"\(Int.random(in: 0..<3, using: &generator))\"".utf8))
                }
                let utf8 = Array(name.utf8)
                return .init(nameText: [34] + utf8 + [34], name: utf8, action: action)
            })
    }

    private mutating func change(on collection: NaiveCollection) -> Change {
        let ids = collection.allItems.map(\.id)
        let sectionIDs = collection.sections.map(\.id)
        guard !sectionIDs.isEmpty else {
            return Change(.insertSection([sectionContent("s1"), sectionContent("s2")], at: .last))
        }
        let roll = Int.random(in: 0..<100, using: &generator)
        if ids.isEmpty || roll < 18 {
            let contents = newContents(collection)
            placed.formUnion(contents.map(\.id))
            return Change(.insert(contents, at: place(collection, outside: contents.map(\.id))))
        }
        switch roll {
        case ..<28: return Change(.delete(some(ids)))
        case ..<46:
            let moved = some(ids)
            placed.formUnion(moved)
            return Change(.move(moved, to: place(collection, outside: moved)))
        case ..<52:
            guard let section = collection.sections.randomElement(using: &generator) else { break }
            placed.formUnion(section.items.map(\.id))
            var order = section.items.map(\.id)
            if generator.chance(50) {
                order.shuffle(using: &generator)
            } else if order.count > 1 {
                order.append(order.removeFirst())
            }
            return Change(.reorder(section.id, order))
        case ..<60: return Change(.toggleLiked(some(ids)))
        case ..<66: return Change(.setLiked(some(ids), generator.chance(50)))
        case ..<74: return Change(.update(some(ids).map { edited($0, collection) }))
        case ..<80:
            let inner = Array("m0".utf8)
            let action: JSONMergePatch.Action = generator.chance(50) ? .remove : .set(Array("\"m\"".utf8))
            let patch = JSONMergePatch(members: [.init(nameText: [34] + inner + [34], name: inner, action: action)])
            return Change(.merge(some(ids), ItemPatch(liked: generator.chance(20) ? true : nil, model: patch)))
        case ..<86:
            var contents = newContents(collection)
            contents += some(ids, 2).map { edited($0, collection) }
            placed.formUnion(contents.map(\.id))
            let place = generator.chance(50) ? self.place(collection, outside: contents.map(\.id)) : nil
            return Change(.upsert(contents, at: place))
        case ..<89:
            let free = (1...9).map { SectionID("s\($0)") }.filter { !sectionIDs.contains($0) }
            guard let id = free.randomElement(using: &generator) else { break }
            return Change(.insertSection([sectionContent(id)], at: sectionPlace(collection, outside: [])))
        case ..<92:
            guard let id = sectionIDs.randomElement(using: &generator) else { break }
            return Change(.moveSection([id], to: sectionPlace(collection, outside: [id])))
        case ..<94:
            guard let id = sectionIDs.randomElement(using: &generator) else { break }
            return Change(
                .updateSection([
                    generator.chance(30)
                        ? SectionContent(id: id, members: shuffled(collection.sections.first { $0.id == id }?.members))
                        : sectionContent(id)
                ]))
        case ..<96:
            guard sectionIDs.count > 2, let id = sectionIDs.randomElement(using: &generator) else { break }
            return Change(.deleteSection([id]))
        case 96 where generator.chance(10): return Change(.deleteAll)
        default: return Change(.updateCollection(headerPatch()))
        }
        return Change(.setLiked([], true))
    }
}

extension NaiveCollection {
    func type(of id: ItemID) -> ItemType? { allItems.first { $0.id == id }?.type }
}
