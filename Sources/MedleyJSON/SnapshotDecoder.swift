import JSONText
public import MedleyCore

/// Reads a whole collection from JSON: the body of a PUT, in the form that a GET of a snapshot answers.
public struct SnapshotDecoder: Sendable {
    private let makeID: @Sendable () -> ItemID
    private let limits: ContentLimits

    /// Creates a decoder that gives an item without an id one from `makeID`, and refuses more than the limits admit.
    public init(
        limits: ContentLimits = .none, makeID: @escaping @Sendable () -> ItemID = { ItemID.random() }
    ) {
        self.limits = limits
        self.makeID = makeID
    }

    /// Reads a collection. `revision`, `counts` and `types` are passed over, a page (`next`) is refused; the collection's own members are
    /// taken as a merge patch into nothing, so that none is null. O(bytes).
    public func content(_ bytes: [UInt8]) throws(DecodingProblem) -> SnapshotContent {
        try DocumentReader.read(bytes, makeID: makeID, limits: limits) { reader throws(DecodingProblem) in
            try reader.snapshotContent()
        }
    }
}

extension DocumentReader {
    fileprivate mutating func snapshotContent() throws(DecodingProblem) -> SnapshotContent {
        try beginObject("the body must be an object, a snapshot")
        let outer = maximumDepth
        var content = SnapshotContent(members: .empty, sections: [])
        var title = Array("\"\"".utf8)
        var others: [JSONMergePatch.Member] = []
        while let name = try nextMember() {
            switch name.string {
            case "id":
                content.id = try stringIfAny()?.string
                if content.id == nil { note(.invalidID, "id must be a string", member: "id") }
            case "title":
                switch try peek() {
                case .null: try skipValue()
                case .string: title = Array(try stringIfAny()?.text ?? [])
                default:
                    try skipValue()
                    note(.invalidItem, Requirement.title, member: "title")
                }
            case "revision", "counts", "types": try skipValue()
            case "next":
                // A page of a collection: taken for the whole it would delete the rest.
                try skipValue()
                note(
                    .invalidChange, "this is a page of a collection, not the whole; read it without limit",
                    member: "next")
            case "sections":
                content.sections = try at(.member("sections")) { reader throws(DecodingProblem) in
                    try reader.sectionsWithItems()
                }
            default:
                maximumDepth = ContentLimits.ownDepth
                let action = try mergeAction()
                maximumDepth = outer
                others.append(JSONMergePatch.Member(nameText: Array(name.text), name: Array(name.utf8), action: action))
            }
        }
        content.members.append(name: "title", value: title)
        content.members = content.members.appending(JSONMergePatch(members: others).applied(to: .empty))
        return content
    }

    private mutating func sectionsWithItems() throws(DecodingProblem) -> [SnapshotContent.Section] {
        var sectionIDs: Set<SectionID> = []
        var itemIDs: Set<ItemID> = []
        return try list("sections must be a list") { reader throws(DecodingProblem) in
            var items: [ItemContent] = []
            let section = try reader.section { reader throws(DecodingProblem) in
                items = try reader.list("items must be a list") { reader throws(DecodingProblem) in
                    try reader.newItem(among: &itemIDs)
                }
            }
            if !sectionIDs.insert(section.id).inserted {
                reader.note(.duplicateID, "a section with this id stands before: \(section.id)", member: "id")
            }
            return SnapshotContent.Section(content: section, items: items)
        }
    }

    private mutating func newItem(among ids: inout Set<ItemID>) throws(DecodingProblem) -> ItemContent {
        let item = try item()
        if !item.hasType { note(.invalidItem, "an item must have a type") }
        let id = item.id ?? makeID()
        if !ids.insert(id).inserted {
            note(.duplicateID, "an item with this id stands before: \(id)", member: "id")
        }
        return ItemContent(id: id, type: item.type, liked: item.liked, model: item.model)
    }
}
