import JSONText
public import MedleyCore

/// An item made from a record, and what has to be said about it.
public struct MappedItem: Hashable, Sendable {
    /// The line, from 1, on which the record begins.
    public let line: Int
    /// The item; its type is `nil` if neither the mapping nor a field states one: an item that exists keeps its own,
    /// a new one gets `impliedType`, else `RecordMapping.defaultType`.
    public let content: ItemContent
    /// The type by what the medium is, such as `music` for an audio file, if nothing states one: for a new item only.
    public let impliedType: ItemType?
    /// The section that it belongs in; `nil` if neither the file nor the mapping says one.
    public let section: SectionContent?
    /// Whether an item that exists stays as it is, since less is known of it than another time.
    public let isPartial: Bool
    /// The id that it has instead if there is an item of that id already.
    public let formerID: ItemID?
    /// What was not taken over as it stands.
    public let notices: [ImportNotice]
}

/// Turns a file's records into items, one after the other; it remembers the ids that it gave, so that no two items
/// of a file have the same.
///
/// Every field ends up in the item: under the member it is mapped to, else under its own name. A value that does not
/// fit a known member stays under the field's own name or, if that is the member's, with `Text` behind it
/// (`urlText`), and a notice says so. Only a table's empty cells and a known member's null are left out.
public struct RecordMapper {
    /// What the records are turned into.
    public let mapping: RecordMapping

    /// For each id given out, the number that the next item of that id gets.
    private var given: [ItemID: Int] = [:]
    private var unseen: Set<[UInt8]>

    private static let section = Array("section".utf8)

    /// Creates a mapper for one file.
    public init(_ mapping: RecordMapping) {
        self.mapping = mapping
        unseen = Set(mapping.namedFields)
    }

    /// The fields that the mapping names and that no record has had so far, in the mapping's order.
    public var fieldsNotSeen: [[UInt8]] { mapping.namedFields.filter { unseen.contains($0) } }

    /// The item of a record. O(bytes), expected.
    public mutating func item(of record: ImportedRecord) -> MappedItem {
        if !unseen.isEmpty {
            for field in record.fields { unseen.remove(field.name) }
            if record.section != nil { unseen.remove(Self.section) }
        }
        var draft = ItemDraft(record, mapping)
        draft.place()
        let id = identity(of: record, &draft)
        return MappedItem(
            line: record.line,
            content: ItemContent(
                id: id, type: draft.type, liked: draft.liked, model: draft.model),
            impliedType: draft.type == nil ? record.impliedType : nil,
            section: section(of: record),
            isPartial: record.isPartial,
            formerID: mapping.idFields.isEmpty ? record.formerID : nil,
            notices: draft.notices)
    }

    /// The id, told apart from those given before by `~2`, `~3` and so on, in the file's order.
    private mutating func identity(of record: ImportedRecord, _ draft: inout ItemDraft) -> ItemID {
        let identity = draft.statedID == nil ? record.identity ?? ContentID.identity(of: draft.model) : nil
        let stated = draft.statedID ?? identity.map { ContentID.plainOrHashed($0, prefix: "") }
        // All that the record says is the last resort: a record that was corrected is another item then.
        let text = stated ?? ContentID.of(record.fields)
        let id = ItemID(utf8: text)
        guard let next = given[id] else {
            given[id] = 2
            return id
        }
        if stated != nil {
            draft.note("another record has this id already; a number was put behind this one's")
        }
        var number = next
        while true {
            // Not a hyphen: a place such as `…/track` may well have a neighbour `…/track-2`.
            let suffix = Array("~\(number)".utf8)
            let candidate = ItemID(utf8: ContentID.plain(text + suffix) ?? ContentID.of(record.fields) + suffix)
            number += 1
            guard given[candidate] == nil else { continue }
            given[id] = number
            given[candidate] = 2
            return candidate
        }
    }

    /// The section: by the mapping's field, else by the file.
    private func section(of record: ImportedRecord) -> SectionContent? {
        guard let name = mapping.section else { return record.section }
        // A table that was exported from here has its sections in a column that the reader has understood already.
        if name == Self.section, record.field(named: name) == nil, let section = record.section { return section }
        var title: [UInt8] = []
        switch record.field(named: name)?.value.scalar {
        case nil, .null: break
        case .structure(let json): title = json
        case .some(let scalar): title = (scalar.text ?? []).trimmed
        }
        guard !title.isEmpty else { return .other }
        return SectionContent(titled: title)
    }
}

extension SectionContent {
    /// Where items go whose record has no value to group by.
    static let other = SectionContent(id: "other", members: JSONMembers(trusted: Array(#""title":"Other""#.utf8)))
}
