/// An item as it was kept: what a `SnapshotRestorer` makes an item of.
///
/// Id and model are in one allocation that the item takes over, so records can be made on any thread and putting them
/// together copies nothing.
package struct ItemRecord: Sendable {
    /// The longest id that an item can hold, in bytes.
    package static let maximumIDByteCount = Int(UInt16.max)

    let text: ByteString
    let idCount: UInt16
    let type: ItemType
    let liked: Bool
    let stamps: Stamps

    /// Makes a record from an id's bytes, valid UTF-8, and the text of a model's members, valid and compact; nothing is
    /// checked but that the id is not longer than an item can hold. O(bytes).
    package init?(id: ArraySlice<UInt8>, type: ItemType, liked: Bool, model: ArraySlice<UInt8>, stamps: Stamps) {
        guard let idCount = UInt16(exactly: id.count) else { return nil }
        text = ByteString(id, model)
        self.idCount = idCount
        self.type = type
        self.liked = liked
        self.stamps = stamps
    }

    var id: ItemID { ItemID(prefixOf: text, count: Int(idCount)) }
}

extension Item {
    /// The three revisions that the item carries.
    package var stamps: Stamps { state.stamps }
}

extension Section {
    /// The three revisions that the section carries; those of its items are theirs.
    package var stamps: Stamps { node.state.stamps }
}
