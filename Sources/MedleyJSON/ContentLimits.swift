/// How much the body of one request may hold, so that what is made of it in memory stays in proportion.
public struct ContentLimits: Hashable, Sendable {
    /// The most changes.
    public var changes: Int
    /// The most items, ids and sections, all lists of the body together.
    public var names: Int
    /// The most bytes of a section's own members, which every answer that lists sections carries whole.
    public var sectionByteCount: Int

    /// How many objects and arrays may stand inside each other in a body.
    public static let depth = 64
    /// How many of them in an item, a section or a collection's members by themselves, so that a snapshot and a change that
    /// carry them stay within a body's depth.
    public static let ownDepth = 56
    /// The most bytes of an item's or a section's id.
    public static let idByteCount = 256

    /// No limits: what a client reads was judged by the server.
    public static let none = ContentLimits(changes: .max, names: .max, sectionByteCount: .max)

    /// Creates limits.
    public init(changes: Int, names: Int, sectionByteCount: Int) {
        self.changes = changes
        self.names = names
        self.sectionByteCount = sectionByteCount
    }
}
