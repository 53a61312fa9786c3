public import JSONText

/// One edit of a collection: what a PATCH carries, what the changes since a revision are made of, what the journal
/// keeps and what `Replica` applies.
///
/// The protocol's table of ops says what each does; `Snapshot.applying(_:)` is where they are carried out.
public struct Change: Hashable, Sendable {
    /// What is done.
    public var operation: Operation
    /// Whether ids, sections and anchors that do not exist are skipped instead of refused (`"ifMissing":"ignore"`).
    public var ignoresMissing: Bool

    /// Creates a change.
    public init(_ operation: Operation, ignoresMissing: Bool = false) {
        self.operation = operation
        self.ignoresMissing = ignoresMissing
    }

    /// The ops of the protocol with their members.
    public enum Operation: Hashable, Sendable {
        /// New items, standing together at a place.
        case insert([ItemContent], at: Place)
        /// New items, or new models for existing ones, which move too if a place is given.
        case upsert([ItemContent], at: Place?)
        /// Items that go.
        case delete([ItemID])
        /// Items that stand together, in this order, at a place.
        case move([ItemID], to: Place)
        /// The whole new order of a section's items.
        case reorder(SectionID, [ItemID])
        /// New models for existing items.
        case update([ItemContent])
        /// A merge patch (RFC 7396) for each item's model.
        case merge([ItemID], ItemPatch)
        /// Sets or clears `liked`: `like`, `unlike`.
        case setLiked([ItemID], Bool)
        /// Flips `liked`.
        case toggleLiked([ItemID])
        /// New, empty sections, standing together at a place.
        case insertSection([SectionContent], at: SectionPlace)
        /// Sections that stand together, in this order, at a place; their items travel along.
        case moveSection([SectionID], to: SectionPlace)
        /// New titles and other members for existing sections.
        case updateSection([SectionContent])
        /// Sections that go, with their items.
        case deleteSection([SectionID])
        /// All items and all sections go.
        case deleteAll
        /// A merge patch for the collection's own members.
        case updateCollection(JSONMergePatch)
    }
}

/// An item as a client or a change states it.
public struct ItemContent: Hashable, Sendable {
    /// The item's id.
    public var id: ItemID
    /// The item's type; may be absent where the item exists already.
    public var type: ItemType?
    /// Whether it is liked; absent, a new item is not and an existing one stays as it is.
    public var liked: Bool?
    /// The model: every member but `id`, `type` and `liked`.
    public var model: JSONMembers

    /// Creates an item's content.
    public init(id: ItemID, type: ItemType?, liked: Bool?, model: JSONMembers) {
        self.id = id
        self.type = type
        self.liked = liked
        self.model = model
    }
}

/// The patch of a `merge`: reserved members apart, since they are not the model's.
public struct ItemPatch: Hashable, Sendable {
    /// An id in the patch; it must be the item's.
    public var id: ItemID?
    /// A type in the patch; it must be the item's.
    public var type: ItemType?
    /// A new `liked`.
    public var liked: Bool?
    /// The patch of the model's own members.
    public var model: JSONMergePatch

    /// Creates a patch.
    public init(id: ItemID? = nil, type: ItemType? = nil, liked: Bool? = nil, model: JSONMergePatch) {
        self.id = id
        self.type = type
        self.liked = liked
        self.model = model
    }
}

/// A section as a client or a change states it, without items.
public struct SectionContent: Hashable, Sendable {
    /// The section's id.
    public var id: SectionID
    /// Every member but `id` and `items`; `title` is always there and first (`""` if the source has none).
    public var members: JSONMembers

    /// Creates a section's content.
    public init(id: SectionID, members: JSONMembers) {
        self.id = id
        self.members = members
    }
}
