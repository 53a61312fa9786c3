extension JSONMembers {
    /// Whether both have the same members, in whatever order: names and values as they are written.
    ///
    /// O(bytes), and where the texts have different lengths O(1).
    public func hasSameMembers(as other: JSONMembers) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        if bytes == other.bytes { return true }
        var left: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        var right: [Member] = []
        var rest = other.makeIterator()
        for member in self {
            guard let opposite = rest.next() else { return false }
            if member.name.text == opposite.name.text {
                // No name stands twice, so this is the only one that the value could be compared with.
                guard member.value == opposite.value else { return false }
            } else {
                left[member.name.text] = member.value
                right.append(opposite)
            }
        }
        return rest.next() == nil && right.allSatisfy { left[$0.name.text] == $0.value }
    }
}
