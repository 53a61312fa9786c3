/// What a collection may hold at most, so that no request can make it cost more than its size lets one expect.
extension Snapshot {
    /// The most types: finding an id asks each type's store.
    public static let maximumTypes = 64
    /// The most bytes of one item's model, which every answer that names the item carries whole.
    public static let maximumModelByteCount = 1 << 20
    /// The most bytes of all items and sections as JSON: one merge patch for many ids could multiply a request.
    public static let maximumByteCount = 4 << 30
    /// The most members of the collection's own: they are compared one with the other.
    public static let maximumMembers = 256
    /// The most bytes of the collection's own members.
    public static let maximumMembersByteCount = 1 << 20
    /// The most removed names of own members that are kept for `changes(since:)`.
    static let maximumMemberRemovals = 1_000
}
