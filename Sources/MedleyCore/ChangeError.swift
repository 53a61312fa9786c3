/// Why changes were refused. Nothing of them was applied.
public struct ChangeError: Error, Hashable, Sendable {
    /// What is wrong, one code for each problem of the protocol that applying can meet.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// An item that does not exist.
        case itemNotFound
        /// A section that does not exist.
        case sectionNotFound
        /// An insert of an id that exists.
        case itemExists
        /// An insert of a section that exists.
        case sectionExists
        /// A place is needed, and the collection has no section.
        case noSection
        /// An id twice in one list.
        case duplicateID
        /// An anchor that is in the list it anchors.
        case anchorInList
        /// A section that is not its anchor's.
        case wrongSection
        /// A `reorder` whose ids are not the section's.
        case notAPermutation
        /// Another type or id than the item has, a new item without a type, or too many types.
        case invalidItem
        /// More than a model or a collection's own members may hold (`Snapshot+Limits`).
        case tooLarge
        /// More than a collection may hold (`Snapshot+Limits`).
        case collectionFull
    }

    /// What is wrong.
    public let code: Code
    /// Where: a path from the list of changes, such as `3`, `ids`, `0`.
    public var path: [Step]
    /// The id that the problem is about, for the detail.
    public let subject: String
    /// The limit that was passed, if one was.
    public let limit: Int?

    /// A step of the path.
    public enum Step: Hashable, Sendable {
        /// A member of an object.
        case member(String)
        /// An element of an array.
        case index(Int)
    }

    /// Creates an error.
    public init(_ code: Code, at path: [Step], subject: String = "", limit: Int? = nil) {
        self.code = code
        self.path = path
        self.subject = subject
        self.limit = limit
    }
}
