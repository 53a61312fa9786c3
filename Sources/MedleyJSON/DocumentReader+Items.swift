import JSONText
import MedleyCore

extension DocumentReader {
    /// An item's content as it is written: what may be absent is not yet judged.
    struct ReadItem {
        var id: ItemID?
        var hasID = false
        var type: ItemType?
        var hasType = false
        var liked: Bool?
        var model = JSONMembers.empty
    }

    /// Reads an item: reserved and known members are checked, everything else is the model's own.
    mutating func item() throws(DecodingProblem) -> ReadItem {
        let outer = limitOwnDepth()
        try beginObject("an item must be an object")
        var item = ReadItem()
        var model: [UInt8] = []
        swap(&model, &scratch)
        model.removeAll(keepingCapacity: true)
        while let name = try nextMember() {
            if name.equals("id") {
                item.hasID = true
                item.id = try ownID()
            } else if name.equals("type") {
                item.hasType = true
                item.type = try ownType()
            } else if name.equals("liked") {
                item.liked = try boolIfAny()
                if item.liked == nil { note(.invalidItem, Requirement.liked, member: "liked") }
            } else {
                if !model.isEmpty { model.append(UInt8(ascii: ",")) }
                model.append(contentsOf: name.text)
                model.append(UInt8(ascii: ":"))
                let start = model.count
                try copyValue(to: &model)
                if let known = KnownMember(utf8: name.utf8), !known.accepts(model[start...]) {
                    note(.invalidItem, known.requirement, member: known.rawValue)
                }
            }
        }
        item.model = model.isEmpty ? .empty : JSONMembers(trusted: Array(model[...]))
        swap(&model, &scratch)
        maximumDepth = outer
        return item
    }

    private mutating func ownID() throws(DecodingProblem) -> ItemID? {
        let string = try stringIfAny()
        let id = string.flatMap { acceptedID($0.utf8) }
        if id == nil { note(.invalidItem, Requirement.id, member: "id", limit: Requirement.idLimit(string)) }
        return id
    }

    /// Makes an id that the rules allow; of what was kept, every one that an item can hold.
    func acceptedID(_ utf8: ArraySlice<UInt8>) -> ItemID? {
        if rules == .request { return ItemID(validating: utf8) }
        return utf8.count <= ItemRecord.maximumIDByteCount ? ItemID(utf8: Array(utf8)) : nil
    }

    private mutating func ownType() throws(DecodingProblem) -> ItemType? {
        let type = try stringIfAny().flatMap { ItemType($0.string) }
        if type == nil { note(.invalidItem, Requirement.type, member: "type") }
        return type
    }

    /// Takes a merge patch of an item apart: reserved members are not the model's.
    mutating func itemPatch(_ patch: JSONMergePatch) -> ItemPatch {
        var result = ItemPatch(model: JSONMergePatch(members: []))
        var model: [JSONMergePatch.Member] = []
        for member in patch.members {
            let string = member.action.string
            if member.isNamed("id") {
                result.id = string.flatMap { acceptedID($0.utf8) }
                if result.id == nil { note(.invalidItem, Requirement.id, member: "id") }
            } else if member.isNamed("type") {
                result.type = string.flatMap { ItemType($0.string) }
                if result.type == nil { note(.invalidItem, Requirement.type, member: "type") }
            } else if member.isNamed("liked") {
                result.liked = member.action.bool
                if result.liked == nil { note(.invalidItem, Requirement.liked, member: "liked") }
            } else {
                if let known = KnownMember(utf8: member.name[...]), !member.action.isAccepted(by: known) {
                    note(.invalidItem, known.requirement, member: known.rawValue)
                }
                model.append(member)
            }
        }
        result.model = JSONMergePatch(members: model)
        return result
    }
}

/// What the reserved members must be, for a person.
enum Requirement {
    static let id = "id must be a string of 1 to 256 bytes without control characters"
    static let type = "type must be a letter a-z and up to 63 letters and digits"
    static let liked = "liked must be true or false"
    static let title = "title must be a string"

    /// The limit that an id passes, if it is its length.
    static func idLimit(_ id: JSONString?) -> Int? {
        id.flatMap { $0.utf8.count > ContentLimits.idByteCount ? ContentLimits.idByteCount : nil }
    }
}

extension JSONMergePatch.Member {
    /// Whether the name, decoded, is this.
    func isNamed(_ other: String) -> Bool {
        name.count == other.utf8.count && name.elementsEqual(other.utf8)
    }
}

extension JSONMergePatch.Action {
    /// The string that is set, if it is one.
    var string: JSONString? {
        guard case .set(let value) = self, value.first == UInt8(ascii: "\"") else { return nil }
        return JSONString(trusted: value[...])
    }

    /// The `true` or `false` that is set, if it is one.
    var bool: Bool? {
        guard case .set(let value) = self else { return nil }
        switch value.first {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    /// Whether the known member may become this; it may go.
    func isAccepted(by known: KnownMember) -> Bool {
        switch self {
        case .remove: true
        case .set(let value): known.accepts(value[...])
        case .merge: false
        }
    }
}
