extension PersistentMap {
    /// Calls `body` with the element of a key, to be changed or replaced, and returns its result; `nil` without one.
    ///
    /// If nothing else holds the element (no other map with this entry either), `isKnownUniquelyReferenced` is true for
    /// it in `body`, which may then change it in place. `body` must keep the key. What it put in the element's place is
    /// kept even if it throws. O(1) expected.
    @discardableResult
    mutating func update<R>(_ key: Element.Key, _ body: (inout Element) throws -> R) rethrows -> R? {
        let hash = Self.hash(key)
        if let slot = unsafe uniqueSlot(of: key, hash: hash) {
            defer { unsafe precondition(slot.pointee.mapKey == key, "an update must keep the key") }
            return try unsafe body(&slot.pointee)
        }
        // Another map holds the path, and with it the element: only another object can take the element's place.
        guard let old = find(key, hash: hash) else { return nil }
        var element = old
        defer {
            if element !== old {
                precondition(element.mapKey == key, "an update must keep the key")
                insert(element, hash: hash)
            }
        }
        return try body(&element)
    }

    /// Where the element of a key is held, if this map alone refers to every node on the way.
    private mutating func uniqueSlot(of key: Element.Key, hash: UInt) -> UnsafeMutablePointer<Element>? {
        guard isKnownUniquelyReferenced(&root), let root else { return nil }
        // SAFETY: the map holds the root throughout.
        var node = unsafe Unmanaged.passUnretained(root)
        var shift = 0
        while true {
            let bitmaps = unsafe node.bitmaps
            let index: Int
            if shift >= PersistentMapNode.collisionShift {
                guard let found = unsafe Self.collisionIndex(of: key, in: node) else { return nil }
                index = found
            } else {
                let bit = PersistentMapNode.bit(hash, shift)
                if bitmaps.children & bit != 0 {
                    let child = bitmaps.childIndex(bit)
                    guard unsafe node.isChildUnique(child) else { return nil }
                    unsafe node = unsafe node.child(child)
                    shift += PersistentMapNode.bitsPerLevel
                    continue
                }
                guard bitmaps.entries & bit != 0 else { return nil }
                index = bitmaps.entryIndex(bit)
                guard unsafe Self.has(Self.entry(node.slots[index]), key) else { return nil }
            }
            // A slot and a strong reference are the same word, and the slot owns what it names.
            return unsafe UnsafeMutableRawPointer(node.slots + index).assumingMemoryBound(to: Element.self)
        }
    }
}
