import JSONText
import MedleyCore

extension DocumentReader {
    /// Reads a list of changes.
    mutating func changes() throws(DecodingProblem) -> [Change] {
        try list("changes must be a list", of: .changes) { reader throws(DecodingProblem) in try reader.change() }
    }

    /// Reads a change.
    mutating func change() throws(DecodingProblem) -> Change {
        let fields = try changeFields()
        guard let op = fields.op else { throw problem(.invalidChange, "a change must have an op") }
        if let missing = op.required.subtracting(fields.present).names.first {
            throw problem(.invalidChange, "\(op.rawValue) needs \(missing)")
        }
        if let extra = fields.present.subtracting(op.required.union(op.optional)).names.first {
            throw problem(.invalidChange, "\(op.rawValue) has no \(extra)", member: extra)
        }
        if fields.present.isSuperset(of: [.after, .before]) {
            throw problem(.invalidChange, "after and before exclude each other", member: "before")
        }
        return Change(try operation(op, fields), ignoresMissing: fields.present.contains(.ifMissing))
    }

    private mutating func operation(
        _ op: ChangeOp, _ fields: ChangeFields
    ) throws(DecodingProblem) -> Change.Operation {
        switch op {
        case .insert:
            if let index = fields.itemsWithoutType.first {
                noteItem(index, "a new item must have a type")
            }
            return .insert(withIDs(fields), at: fields.place ?? .last(in: nil))
        case .upsert: return .upsert(withIDs(fields), at: fields.place)
        case .update:
            if let index = fields.itemsWithoutID.first {
                noteItem(index, "an item to update must have an id")
            }
            return .update(fields.items)
        case .move:
            guard let place = fields.place else {
                throw problem(.invalidChange, "move needs a place: section, after or before")
            }
            return .move(fields.ids, to: place)
        case .reorder:
            guard let section = fields.section else { throw problem(.invalidChange, "reorder needs section") }
            return .reorder(section, fields.ids)
        case .merge:
            let patch = try at(.member("set")) { $0.itemPatch(fields.patch) }
            return .merge(fields.ids, patch)
        case .updateCollection:
            try at(.member("set")) { $0.checkCollectionPatch(fields.patch) }
            return .updateCollection(fields.patch)
        case .delete: return .delete(fields.ids)
        case .like: return .setLiked(fields.ids, true)
        case .unlike: return .setLiked(fields.ids, false)
        case .toggleLike: return .toggleLiked(fields.ids)
        case .insertSection: return .insertSection(fields.sections, at: fields.sectionPlace)
        case .moveSection: return .moveSection(fields.sectionIDs, to: fields.sectionPlace)
        case .updateSection: return .updateSection(fields.sections)
        case .deleteSection: return .deleteSection(fields.sectionIDs)
        case .deleteAll: return .deleteAll
        }
    }

    private func withIDs(_ fields: ChangeFields) -> [ItemContent] {
        var items = fields.items
        for index in fields.itemsWithoutID { items[index].id = makeID() }
        return items
    }

    private mutating func noteItem(_ index: Int, _ detail: String) {
        note(.invalidItem, detail, steps: [.member("items"), .index(index)])
    }

    private mutating func checkCollectionPatch(_ patch: JSONMergePatch) {
        for member in patch.members {
            if let name = ReservedMember.ofCollection.first(where: { member.isNamed($0) }) {
                note(.invalidItem, "\(name) is not a member that can be set", member: name)
            } else if member.isNamed("title"), member.action != .remove, member.action.string == nil {
                note(.invalidItem, Requirement.title, member: "title")
            }
        }
    }

    // MARK: Members

    private mutating func changeFields() throws(DecodingProblem) -> ChangeFields {
        try beginObject("a change must be an object")
        var fields = ChangeFields()
        while let name = try nextMember() {
            let text = name.string
            try at(.member(text)) { reader throws(DecodingProblem) in
                try reader.readMember(text, of: &fields)
            }
        }
        return fields
    }

    private mutating func readMember(_ name: String, of fields: inout ChangeFields) throws(DecodingProblem) {
        switch name {
        case "op":
            guard let op = try stringIfAny().flatMap({ ChangeOp(rawValue: $0.string) }) else {
                throw problem(.invalidChange, "op must be one of " + Self.opNames)
            }
            fields.op = op
        case "items":
            fields.present.insert(.items)
            try readItems(of: &fields)
        case "ids":
            fields.present.insert(.ids)
            fields.ids = try list("ids must be a list") { reader throws(DecodingProblem) in try reader.reference() }
        case "sections":
            fields.present.insert(.sections)
            fields.sections = try list("sections must be a list") { reader throws(DecodingProblem) in
                try reader.section()
            }
        case "set":
            fields.present.insert(.set)
            fields.patch = try mergePatch("set must be an object")
        case "section":
            fields.present.insert(.section)
            fields.section = SectionID(utf8: try reference().utf8)
        case "after":
            fields.present.insert(.after)
            fields.after = try anchor()
        case "before":
            fields.present.insert(.before)
            fields.before = try anchor()
        case "ifMissing":
            fields.present.insert(.ifMissing)
            guard try stringIfAny()?.equals("ignore") == true else {
                throw problem(.invalidChange, "ifMissing can only be \"ignore\"")
            }
        default:
            throw problem(.invalidChange, "a change has no such member")
        }
    }

    private static let opNames = ChangeOp.allCases.map(\.rawValue).joined(separator: ", ")

    private mutating func readItems(of fields: inout ChangeFields) throws(DecodingProblem) {
        var withoutID: [Int] = []
        var withoutType: [Int] = []
        var index = 0
        fields.items = try list("items must be a list") { reader throws(DecodingProblem) in
            let item = try reader.item()
            if !item.hasID { withoutID.append(index) }
            if !item.hasType { withoutType.append(index) }
            index += 1
            return ItemContent(id: item.id ?? ItemID(""), type: item.type, liked: item.liked, model: item.model)
        }
        fields.itemsWithoutID = withoutID
        fields.itemsWithoutType = withoutType
    }

    /// Reads the id of something that should exist.
    private mutating func reference() throws(DecodingProblem) -> ItemID {
        let string = try stringIfAny()
        guard let id = string.flatMap({ acceptedID($0.utf8) }) else {
            throw problem(.invalidChange, Requirement.id, limit: Requirement.idLimit(string))
        }
        return id
    }

    private mutating func anchor() throws(DecodingProblem) -> ItemID? {
        if try peek() != .null { return try reference() }
        try skipValue()
        return nil
    }
}

/// The members that are not their owner's own.
enum ReservedMember {
    /// Those of a collection: the server makes them, or other changes do.
    static let ofCollection = ["id", "revision", "counts", "types", "sections", "next"]
}
