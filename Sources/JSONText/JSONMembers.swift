/// The members of a JSON object as compact text, without the braces: `"title":"Layla","year":1970`.
///
/// Order, number text and string escapes are those of the source; only the space between tokens is gone.
/// A value of this type always holds valid text: it comes from `JSONScanner`, from a merge, or from a
/// caller who vouches for it.
public struct JSONMembers: Hashable, Sendable {
    /// The compact text; empty for an object without members.
    public let bytes: [UInt8]

    /// No members.
    public static let empty = JSONMembers(trusted: [])

    /// Wraps text that is known to be valid and compact; nothing is checked.
    public init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether there are no members.
    public var isEmpty: Bool { bytes.isEmpty }
}
