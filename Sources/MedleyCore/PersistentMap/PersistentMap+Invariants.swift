extension PersistentMap {
    /// What is wrong with the structure, or `nil`. For tests; O(n).
    func checkInvariants() -> String? {
        guard let root else { return count == 0 ? nil : "a count of \(count) without a root" }
        var seen = 0
        let fault = check(root, shift: 0, prefix: 0, &seen)
        if let fault { return fault }
        return seen == count ? nil : "\(seen) entries, but a count of \(count)"
    }

    /// Checks a node all of whose entries have `prefix` as the lowest `shift` bits of their hashes.
    private func check(_ node: PersistentMapNode, shift: Int, prefix: UInt, _ seen: inout Int) -> String? {
        let bitmaps = node.header
        // SAFETY: the caller holds the map, which owns the node.
        let reference = unsafe Unmanaged.passUnretained(node)
        if bitmaps.slotCount == 0 { return "an empty node at \(shift)" }
        if shift > 0, bitmaps.slotCount == 1, bitmaps.entryCount == 1 { return "a lone entry at \(shift)" }
        if bitmaps.isCollision != (shift >= PersistentMapNode.collisionShift) { return "a wrong kind at \(shift)" }
        seen += bitmaps.entryCount
        if bitmaps.isCollision { return checkCollision(node, hash: prefix) }
        for place in 0..<UInt32(32) {
            let bit: UInt32 = 1 << place
            let here = prefix | UInt(place) << UInt(shift)
            if bitmaps.entries & bit != 0 {
                let entry = unsafe Self.entry(reference.slots[bitmaps.entryIndex(bit)]).takeUnretainedValue()
                let mask = shift + 5 >= 64 ? UInt.max : (1 << UInt(shift + 5)) - 1
                if Self.hash(entry.mapKey) & mask != here { return "an entry in a wrong place at \(shift)" }
            }
            if bitmaps.children & bit != 0 {
                let child = unsafe reference.child(bitmaps.childIndex(bit)).takeUnretainedValue()
                if let fault = check(child, shift: shift + 5, prefix: here, &seen) { return fault }
            }
        }
        return nil
    }

    private func checkCollision(_ node: PersistentMapNode, hash: UInt) -> String? {
        // SAFETY: the caller holds the map, which owns the node.
        let reference = unsafe Unmanaged.passUnretained(node)
        var keys: Set<Element.Key> = []
        for index in 0..<node.header.entryCount {
            let key = unsafe Self.entry(reference.slots[index]).takeUnretainedValue().mapKey
            if Self.hash(key) != hash { return "an entry with another hash in a collision node" }
            if !keys.insert(key).inserted { return "a key twice in a collision node" }
        }
        return nil
    }
}
