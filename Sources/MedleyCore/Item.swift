public import JSONText

/// One medium at one state: immutable, shared by every snapshot in which it is the same.
public final class Item: Sendable {
    let state: State

    init(_ state: State) { self.state = state }

    /// What an item consists of; a changed copy of it makes the next item.
    struct State: Sendable {
        /// The id's bytes, then those of the model's members: one allocation for both.
        var text: ByteString
        var idCount: UInt16
        var liked: Bool
        /// Which of the items touched at the same revision this is (`TouchKey`).
        var ordinal: UInt32
        var type: ItemType
        var section: SectionID
        /// The place among the section's items (`OrderLabel`).
        var label: UInt64
        var stamps: Stamps
    }

    /// The id. O(1).
    public var id: ItemID { ItemID(prefixOf: state.text, count: Int(state.idCount)) }
    /// The type.
    public var type: ItemType { state.type }
    /// Whether it is liked.
    public var liked: Bool { state.liked }
    /// The section it is in.
    public var section: SectionID { state.section }
    /// The model's members, without `id`, `type` and `liked`. O(bytes).
    public var model: JSONMembers { JSONMembers(trusted: state.text.copy(modelRange)) }

    /// The revision number since which it has existed without a break.
    public var created: UInt64 { state.stamps.created }
    /// The revision number at which it was last inserted or moved.
    public var placed: UInt64 { state.stamps.placed }
    /// The revision number at which its model or `liked` last changed.
    public var changed: UInt64 { state.stamps.changed }

    /// The item as a change states it. O(bytes).
    public var content: ItemContent { ItemContent(id: id, type: type, liked: liked, model: model) }

    /// Appends the id's bytes. O(bytes).
    package func appendID(to buffer: inout [UInt8]) {
        unsafe state.text.withBytes(0..<Int(state.idCount)) { unsafe buffer.append(contentsOf: $0) }
    }

    /// Appends the text of the model's members. O(bytes).
    package func appendModel(to buffer: inout [UInt8]) {
        unsafe state.text.withBytes(modelRange) { unsafe buffer.append(contentsOf: $0) }
    }

    /// The number of bytes of the model's members.
    package var modelByteCount: Int { modelRange.count }

    var touchKey: TouchKey { TouchKey(revision: state.stamps.touched, ordinal: state.ordinal) }

    private var modelRange: Range<Int> { Int(state.idCount)..<state.text.count }

    /// Whether type, `liked` and model are the same. O(bytes).
    func hasContent(of other: Item) -> Bool {
        guard liked == other.liked, type == other.type else { return false }
        return state.text === other.state.text || model == other.model
    }

    /// The bytes of the item's JSON form: `{"id":…,"type":…,"liked":…,` members `}`.
    package var encodedByteCount: Int {
        let escapes = unsafe state.text.withBytes(0..<Int(state.idCount)) { bytes in
            unsafe bytes.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        }
        let fixed = 28 + (liked ? 4 : 5)  // {"id":"","type":"","liked":} and the value
        return fixed + Int(state.idCount) + escapes + type.name.utf8.count
            + (modelByteCount == 0 ? 0 : modelByteCount + 1)
    }
}
