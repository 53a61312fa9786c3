/// A merge patch for an object (RFC 7396): what becomes of each member that it names.
///
/// A replaced member keeps its place, a new one comes last, one set to null goes.
public struct JSONMergePatch: Hashable, Sendable {
    /// What becomes of a member.
    public enum Action: Hashable, Sendable {
        /// It goes (`null`).
        case remove
        /// It gets this value, as compact text that is no object.
        case set([UInt8])
        /// It is an object that the patch is merged into; what is no object yet counts as an empty one.
        case merge(JSONMergePatch)
    }

    /// A member that the patch names.
    public struct Member: Hashable, Sendable {
        /// The name as its source wrote it, with quotes and escapes.
        public let nameText: [UInt8]
        /// The name decoded, UTF-8.
        public let name: [UInt8]
        /// What becomes of it.
        public let action: Action

        /// Creates a member.
        public init(nameText: [UInt8], name: [UInt8], action: Action) {
            self.nameText = nameText
            self.name = name
            self.action = action
        }
    }

    /// The members, no name twice.
    public let members: [Member]

    /// Creates a patch.
    public init(members: [Member]) {
        self.members = members
    }
}
