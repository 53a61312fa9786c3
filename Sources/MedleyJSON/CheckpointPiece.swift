/// A part of a checkpoint: a snapshot with its history as JSON, in pieces of bounded size that stand in order.
///
/// A piece is one JSON value that a person can read. What each kind holds:
///
/// - `collection`, one, the first: `{"format":1,"lineage":…,"number":…,"floor":…,"counts":{…}}`, the counts of all that
///   the other pieces hold together;
/// - `members`: the collection's own, `[[placed,changed,{"title":…}],…]`;
/// - `removedMembers`: the latest removal of each name, `[[revision,name],…]`;
/// - `sections`: `[{"section":[created,placed,changed,{"id":…,"title":…,…}],"items":[[created,placed,changed,{"id":…,
///   "type":…,"liked":…,…}],…]},…]`; without `section` the items go on in the section before, which is only so at the
///   beginning of a piece;
/// - `deletedItems`, `deletedSections`: `[[created,deleted,id],…]`, the id existed from `created` until `deleted`.
package struct CheckpointPiece: Hashable, Sendable {
    /// What a piece holds.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// What the snapshot is.
        case collection
        /// The collection's own members.
        case members
        /// Names of own members that went.
        case removedMembers
        /// Sections with their items.
        case sections
        /// Items that went.
        case deletedItems
        /// Sections that went.
        case deletedSections
    }

    /// What the piece holds.
    package let kind: Kind
    /// The JSON text.
    package let text: [UInt8]

    /// Creates a piece.
    package init(kind: Kind, text: [UInt8]) {
        self.kind = kind
        self.text = text
    }
}
