import FuzzSupport
import JSONText
import MedleyCore

private let beginning = SnapshotHistory()

/// The bytes are choices: edits of a small collection, valid more often than not, after each of which the snapshots are
/// checked against each other.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEdits(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(bytes: unsafe FuzzInput.bytes(start, count)[...])
    var history = beginning
    for _ in 0..<10 where !choices.bytes.isEmpty {
        let kind = choices.next(16)
        if kind == 0 {
            history.forget(keeping: choices.next(4))
        } else if kind == 1 {
            history.replace(with: choices.content())
        } else {
            history.apply((0..<1 + choices.next(3)).map { _ in choices.change() })
        }
    }
    return 0
}

/// Edits made out of bytes.
private struct Choices {
    var bytes: ArraySlice<UInt8>

    mutating func next(_ bound: UInt8) -> Int { Int((bytes.popFirst() ?? 0) % bound) }

    mutating func item() -> ItemID { ItemID(String(UnicodeScalar(UInt8(ascii: "a") + UInt8(next(8))))) }

    mutating func section() -> SectionID { SectionID(["s", "t", "u", "w"][next(4)]) }

    /// Ids, each once unless a byte says otherwise.
    mutating func list<ID: Hashable>(_ one: (inout Choices) -> ID) -> [ID] {
        let choice = next(32)
        var ids: [ID] = []
        for _ in 0..<choice % 5 {
            let id = one(&self)
            if choice == 31 || !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    mutating func contentOfItem() -> ItemContent {
        let id = item()
        let choice = next(24)
        let usual = id.utf8[0].isMultiple(of: 2) ? ItemType("m") : ItemType("v")
        return ItemContent(
            id: id, type: choice == 23 ? ItemType("other") : choice == 22 ? nil : usual,
            liked: [nil, true, false][choice % 3],
            model: JSONMembers(trusted: choice < 6 ? [] : Array("\"n\":\(choice % 4)".utf8)))
    }

    mutating func contentOfSection() -> SectionContent {
        SectionContent(id: section(), members: JSONMembers(trusted: Array("\"title\":\"\(next(3))\"".utf8)))
    }

    mutating func place() -> Place {
        switch next(8) {
        case 0: .last(in: nil)
        case 1: .first(in: nil)
        case 2: .last(in: section())
        case 3: .first(in: section())
        case 4, 5: .after(item(), section: next(6) == 0 ? section() : nil)
        default: .before(item(), section: next(6) == 0 ? section() : nil)
        }
    }

    mutating func sectionPlace() -> SectionPlace {
        switch next(4) {
        case 0: .first
        case 1: .last
        case 2: .after(section())
        default: .before(section())
        }
    }

    mutating func patch() -> JSONMergePatch {
        let value = next(4)
        let name = ["n", "k", "title"][next(3)]
        return JSONMergePatch(members: [
            JSONMergePatch.Member(
                nameText: Array("\"\(name)\"".utf8), name: Array(name.utf8),
                action: value == 0 && name != "title" ? .remove : .set(Array("\"\(value)\"".utf8)))
        ])
    }

    mutating func operation() -> Change.Operation {
        switch next(20) {
        case 0, 1: .insert(contents(), at: place())
        case 2: .upsert(contents(), at: nil)
        case 3: .upsert(contents(), at: place())
        case 4, 5: .delete(list { $0.item() })
        case 6, 7, 8: .move(list { $0.item() }, to: place())
        case 9: .reorder(section(), list { $0.item() })
        case 10: .update(contents())
        case 11: .merge(list { $0.item() }, ItemPatch(model: patch()))
        case 12: .setLiked(list { $0.item() }, next(2) == 0)
        case 13: .toggleLiked(list { $0.item() })
        case 14: .insertSection(sections(), at: sectionPlace())
        case 15: .moveSection(list { $0.section() }, to: sectionPlace())
        case 16: .updateSection(sections())
        case 17: .deleteSection(list { $0.section() })
        case 18: .updateCollection(patch())
        default: next(4) == 0 ? .deleteAll : .move(list { $0.item() }, to: place())
        }
    }

    mutating func contents() -> [ItemContent] { list { $0.item() }.map { content(of: $0) } }

    private mutating func content(of id: ItemID) -> ItemContent {
        var content = contentOfItem()
        content.id = id
        if content.type?.name != "other", content.type != nil {
            content.type = id.utf8[0].isMultiple(of: 2) ? ItemType("m") : ItemType("v")
        }
        return content
    }

    mutating func sections() -> [SectionContent] {
        list { $0.section() }.map { SectionContent(id: $0, members: contentOfSection().members) }
    }

    mutating func change() -> Change { Change(operation(), ignoresMissing: next(3) == 0) }

    /// A whole collection, each id once.
    mutating func content() -> SnapshotContent {
        var taken = Set<ItemID>()
        return SnapshotContent(
            members: JSONMembers(trusted: Array("\"title\":\"\(next(3))\"".utf8)),
            sections: sections().map { section in
                SnapshotContent.Section(
                    content: section, items: contents().filter { taken.insert($0.id).inserted })
            })
    }
}
