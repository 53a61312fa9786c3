/// The items that an edit has touched, in the order in which it first did.
///
/// Most edits touch one item or a few, whose ids are compared one after the other; of more a dictionary is kept.
struct TouchedItems {
    /// What happened to an item in an edit.
    struct Touch {
        let id: ItemID
        /// Tells it from whatever else was touched in this edit, and orders them.
        let ordinal: UInt32
        /// The item before the edit.
        let old: Item?
        /// The item now.
        var new: Item?
        /// Whether something placed it, so that it may have moved.
        var isPlaced = false
        /// Whether something named it as edited.
        var isEdited = false
        /// Whether it went, and perhaps came back.
        var wasRemoved = false
        /// Whether it stands where it stood although something placed it; known at the end of the edit.
        var isSettled = false
    }

    private var touches: ContiguousArray<Touch> = []
    /// Where the touch of an id stands, once there are more than `mostCompared`.
    private var positions: [ItemID: Int] = [:]

    private static var mostCompared: Int { 12 }

    var indices: Range<Int> { touches.indices }

    subscript(position: Int) -> Touch {
        _read { yield touches[position] }
        _modify { yield &touches[position] }
    }

    /// Where the touch of an item stands, if it was touched. O(1).
    func position(of id: ItemID) -> Int? {
        if touches.count > Self.mostCompared { return positions[id] }
        return touches.firstIndex { $0.id == id }
    }

    /// Adds the touch of an item that was not touched and returns its position. O(1) amortised.
    mutating func append(_ touch: Touch) -> Int {
        let position = touches.count
        touches.append(touch)
        if touches.count == Self.mostCompared + 1 {
            for (position, touch) in touches.enumerated() { positions[touch.id] = position }
        } else if touches.count > Self.mostCompared {
            positions[touch.id] = position
        }
        return position
    }
}
