import MedleyCore

/// The ops by their names in the protocol, with the members that each has.
enum ChangeOp: String, CaseIterable {
    case insert, upsert, delete, move, reorder, update, merge, like, unlike, toggleLike
    case insertSection, moveSection, updateSection, deleteSection, deleteAll, updateCollection

    /// The members that it must have.
    var required: ChangeMembers {
        switch self {
        case .insert, .upsert, .update: .items
        case .delete, .move, .like, .unlike, .toggleLike, .moveSection, .deleteSection: .ids
        case .reorder: [.section, .ids]
        case .merge: [.ids, .set]
        case .insertSection, .updateSection: .sections
        case .deleteAll: []
        case .updateCollection: .set
        }
    }

    /// The members that it may have.
    var optional: ChangeMembers {
        switch self {
        case .insert, .upsert, .move: [.section, .after, .before, .ifMissing]
        case .insertSection, .moveSection: [.after, .before, .ifMissing]
        case .deleteAll, .updateCollection: []
        default: .ifMissing
        }
    }
}

extension Change.Operation {
    /// The op's name in the protocol.
    var op: ChangeOp {
        switch self {
        case .insert: .insert
        case .upsert: .upsert
        case .delete: .delete
        case .move: .move
        case .reorder: .reorder
        case .update: .update
        case .merge: .merge
        case .setLiked(_, let isLiked): isLiked ? .like : .unlike
        case .toggleLiked: .toggleLike
        case .insertSection: .insertSection
        case .moveSection: .moveSection
        case .updateSection: .updateSection
        case .deleteSection: .deleteSection
        case .deleteAll: .deleteAll
        case .updateCollection: .updateCollection
        }
    }
}

/// A set of the members that changes have beside `op`.
struct ChangeMembers: OptionSet {
    let rawValue: UInt16

    static let items = ChangeMembers(rawValue: 1)
    static let ids = ChangeMembers(rawValue: 2)
    static let sections = ChangeMembers(rawValue: 4)
    static let set = ChangeMembers(rawValue: 8)
    static let section = ChangeMembers(rawValue: 16)
    static let after = ChangeMembers(rawValue: 32)
    static let before = ChangeMembers(rawValue: 64)
    static let ifMissing = ChangeMembers(rawValue: 128)

    private static let named: [(String, ChangeMembers)] = [
        ("items", .items), ("ids", .ids), ("sections", .sections), ("set", .set), ("section", .section),
        ("after", .after), ("before", .before), ("ifMissing", .ifMissing),
    ]

    /// The names of the members.
    var names: [String] { Self.named.filter { contains($0.1) }.map(\.0) }
}
