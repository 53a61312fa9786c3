public import JSONText

/// A whole collection as a client states it: what PUT takes.
public struct SnapshotContent: Hashable, Sendable {
    /// The collection's id, if the content names one; the caller compares it with the one it is meant for.
    public var id: String?
    /// The collection's own members; `title` is always there and first. No value in it is null, since no merge patch
    /// could bring one about.
    public var members: JSONMembers
    /// The sections in order.
    public var sections: [Section]

    /// A section with its items.
    public struct Section: Hashable, Sendable {
        /// The section without its items.
        public var content: SectionContent
        /// The items in order.
        public var items: [ItemContent]

        /// Creates a section's content.
        public init(content: SectionContent, items: [ItemContent]) {
            self.content = content
            self.items = items
        }
    }

    /// Creates a collection's content.
    public init(id: String? = nil, members: JSONMembers, sections: [Section]) {
        self.id = id
        self.members = members
        self.sections = sections
    }
}
