import JSONText
import MedleyCore
import MedleyJSON
import Testing

/// Random changes of every op, with random contents.
struct RandomChanges {
    var generator: SeededGenerator

    mutating func changes() throws -> [Change] {
        var changes: [Change] = []
        for _ in 0..<below(5) {
            let operation = try operation()
            switch operation {
            case .deleteAll, .updateCollection: changes.append(Change(operation))
            default: changes.append(Change(operation, ignoresMissing: chance(4)))
            }
        }
        return changes
    }

    private mutating func operation() throws -> Change.Operation {
        switch below(15) {
        case 0: .insert(try items(hasType: true), at: place())
        case 1: .upsert(try items(hasType: chance(2)), at: chance(2) ? nil : place())
        case 2: .delete(ids())
        case 3: .move(ids(), to: place())
        case 4: .reorder(sectionID(), ids())
        case 5: .update(try items(hasType: chance(2)))
        case 6: .merge(ids(), try itemPatch())
        case 7: .setLiked(ids(), chance(2))
        case 8: .toggleLiked(ids())
        case 9: .insertSection(sections(), at: sectionPlace())
        case 10: .moveSection(ids().map { SectionID(utf8: $0.utf8) }, to: sectionPlace())
        case 11: .updateSection(sections())
        case 12: .deleteSection(ids().map { SectionID(utf8: $0.utf8) })
        case 13: .deleteAll
        default: .updateCollection(JSONMergePatch(members: patchMembers(depth: 3)))
        }
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

    private mutating func string(_ lengths: ClosedRange<Int>, alphabet: [String]) -> String {
        (0..<Int.random(in: lengths, using: &generator)).map { _ in alphabet[below(alphabet.count)] }.joined()
    }

    private mutating func id() -> ItemID {
        let alphabet = ["a", "B", "7", "\"", "\\", "/", "%", "+", " ", "é", "e\u{301}", "😀", "\u{A0}"]
        return ItemID(string(1...12, alphabet: alphabet))
    }

    private mutating func ids() -> [ItemID] { (0..<below(4)).map { _ in id() } }
    private mutating func sectionID() -> SectionID { SectionID(utf8: id().utf8) }

    private mutating func place() -> Place {
        let section = chance(2) ? sectionID() : nil
        switch below(4) {
        case 0: return .last(in: section)
        case 1: return .first(in: section)
        case 2: return .after(id(), section: section)
        default: return .before(id(), section: section)
        }
    }

    private mutating func sectionPlace() -> SectionPlace {
        switch below(4) {
        case 0: .first
        case 1: .last
        case 2: .after(sectionID())
        default: .before(sectionID())
        }
    }

    private mutating func items(hasType: Bool) throws -> [ItemContent] {
        try (0..<below(4)).map { _ in
            let type = hasType ? try type() : nil
            return ItemContent(id: id(), type: type, liked: chance(3) ? nil : chance(2), model: model())
        }
    }

    private mutating func type() throws -> ItemType {
        let name = string(1...1, alphabet: ["a", "m", "z"]) + string(0...63, alphabet: ["a", "Z", "0"])
        return try #require(ItemType(name))
    }

    private mutating func sections() -> [SectionContent] {
        (0..<below(3)).map { _ in
            var members = JSONMembers.empty
            members.append(name: "title", value: jsonString())
            append(to: &members, depth: 2)
            return SectionContent(id: sectionID(), members: members)
        }
    }

    private mutating func model() -> JSONMembers {
        var members = JSONMembers.empty
        if chance(2) { members.append(name: "title", value: jsonString()) }
        if chance(3) { members.append(nameText: #""d\u0075ration""#.utf8, value: "215.50".utf8) }
        if chance(3) { members.append(name: "publishedAt", value: #""1970-11-09T00:00:00Z""#.utf8) }
        append(to: &members, depth: 3)
        return members
    }

    private mutating func itemPatch() throws -> ItemPatch {
        let type = chance(4) ? try type() : nil
        return ItemPatch(
            id: chance(4) ? id() : nil, type: type, liked: chance(2) ? chance(2) : nil,
            model: JSONMergePatch(members: patchMembers(depth: 3)))
    }

    // MARK: JSON

    private mutating func jsonString() -> [UInt8] {
        let source = string(0...20, alphabet: ["a", " ", "\"", "\\", "\n", "\u{0}", "é", "😀", "\u{2028}", "/", "xyz"])
        var text: [UInt8] = []
        JSONWriter.append(string: source, to: &text)
        return text
    }

    /// A name that no reserved or known member has, and no other member of the object.
    private mutating func name(_ position: Int) -> String {
        "x\(position)" + string(0...10, alphabet: ["a", "/", "~", "\"", "é", "\t", " "])
    }

    private mutating func append(to members: inout JSONMembers, depth: Int) {
        for position in 0..<below(4) { members.append(name: name(position), value: value(depth: depth)) }
    }

    private mutating func value(depth: Int) -> [UInt8] {
        switch below(depth > 0 ? 8 : 5) {
        case 0: return Array("null".utf8)
        case 1: return Array((chance(2) ? "true" : "false").utf8)
        case 2: return Array(["0", "-0", "1.10", "1e400", "9007199254740993", "-1.5E-3"][below(6)].utf8)
        case 3: return jsonString()
        case 4: return Array(#""\u00e9\ud83d\uDE00\/""#.utf8)
        case 5, 6:
            let elements = (0..<below(4)).map { _ in value(depth: depth - 1) }
            return Array("[".utf8) + elements.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
        default:
            var members = JSONMembers.empty
            append(to: &members, depth: depth - 1)
            return Array("{".utf8) + members.bytes + Array("}".utf8)
        }
    }

    private mutating func patchMembers(depth: Int) -> [JSONMergePatch.Member] {
        (0..<below(4)).map { position in
            let name = name(position)
            var text: [UInt8] = []
            JSONWriter.append(string: name, to: &text)
            let action: JSONMergePatch.Action
            if depth > 0, chance(3) {
                action = .merge(JSONMergePatch(members: patchMembers(depth: depth - 1)))
            } else if chance(3) {
                action = .remove
            } else {
                action = .set(setValue())
            }
            return JSONMergePatch.Member(nameText: text, name: Array(name.utf8), action: action)
        }
    }

    /// A value that a patch sets: neither null nor an object.
    private mutating func setValue() -> [UInt8] {
        while true {
            let value = value(depth: 2)
            if value.first != UInt8(ascii: "n"), value.first != UInt8(ascii: "{") { return value }
        }
    }
}
