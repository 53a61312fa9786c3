extension PersistentMap {
    /// Inserts an element, or puts it in the place of the one with the same key, which is returned. O(1) expected.
    @discardableResult
    mutating func insert(_ element: Element) -> Element? {
        insert(element, hash: Self.hash(element.mapKey))
    }

    /// `insert` for a hash that is known.
    @discardableResult
    mutating func insert(_ element: Element, hash: UInt) -> Element? {
        var insertion = Insertion(element: element, key: element.mapKey, hash: hash)
        let owned = isKnownUniquelyReferenced(&root)
        if let root {
            // SAFETY: the map holds the root throughout.
            unsafe setRoot(insertion.carryOut(in: Unmanaged.passUnretained(root), owned: owned, shift: 0))
        } else {
            let bit = PersistentMapNode.bit(hash, 0)
            let node = unsafe PersistentMapNode.make(PersistentMapBitmaps(entries: bit, children: 0))
            unsafe node.slots.initialize(to: Self.slot(element))
            unsafe setRoot(node)
        }
        if insertion.replaced == nil { count += 1 }
        return insertion.replaced
    }

    /// An insertion on its way down the tree.
    private struct Insertion {
        let element: Element
        let key: Element.Key
        let hash: UInt
        var replaced: Element?

        /// Returns the node that takes the place of `node`: itself where it was changed in place, otherwise one at +1.
        ///
        /// An owned node is one that nothing but the slot above refers to; what is in it may be moved out of it.
        mutating func carryOut(in node: NodeReference, owned: Bool, shift: Int) -> NodeReference {
            if shift >= PersistentMapNode.collisionShift {
                return unsafe carryOut(inCollision: node, owned: owned)
            }
            let bitmaps = unsafe node.bitmaps
            let bit = PersistentMapNode.bit(hash, shift)
            if bitmaps.children & bit != 0 {
                let index = bitmaps.childIndex(bit)
                let child = unsafe node.child(index)
                let childOwned = unsafe owned && node.isChildUnique(index)
                let next = shift + PersistentMapNode.bitsPerLevel
                let new = unsafe carryOut(in: child, owned: childOwned, shift: next)
                if unsafe new.toOpaque() == child.toOpaque() { return unsafe node }
                return unsafe node.replacing(index, with: new.slot, owned: owned)
            }
            guard bitmaps.entries & bit != 0 else {
                let new = PersistentMapBitmaps(entries: bitmaps.entries | bit, children: bitmaps.children)
                return unsafe node.rebuilt(
                    new, dropping: nil, adding: PersistentMap.slot(element), at: bitmaps.entryIndex(bit), owned: owned)
            }
            let index = bitmaps.entryIndex(bit)
            let entry = unsafe PersistentMap.entry(node.slots[index])
            if unsafe PersistentMap.has(entry, key) {
                replaced = unsafe entry.takeUnretainedValue()
                return unsafe node.replacing(index, with: PersistentMap.slot(element), owned: owned)
            }
            // The entry goes down into a new child, together with the element.
            let old = unsafe owned ? node.slots[index] : node.slots[index].retain()
            let oldHash = unsafe entry._withUnsafeGuaranteedRef { PersistentMap.hash($0.mapKey) }
            let child = unsafe pair(
                old, oldHash, PersistentMap.slot(element), shift: shift + PersistentMapNode.bitsPerLevel)
            let new = PersistentMapBitmaps(entries: bitmaps.entries ^ bit, children: bitmaps.children | bit)
            return unsafe node.rebuilt(
                new, dropping: index, adding: child.slot, at: new.childIndex(bit), owned: owned)
        }

        private mutating func carryOut(inCollision node: NodeReference, owned: Bool) -> NodeReference {
            if let index = unsafe PersistentMap.collisionIndex(of: key, in: node) {
                replaced = unsafe PersistentMap.entry(node.slots[index]).takeUnretainedValue()
                return unsafe node.replacing(index, with: PersistentMap.slot(element), owned: owned)
            }
            let count = unsafe node.bitmaps.entryCount
            return unsafe node.rebuilt(
                .collision(count + 1), dropping: nil, adding: PersistentMap.slot(element), at: count, owned: owned)
        }

        /// A node at +1 of two entries whose hashes are the same in the bits above `shift`; takes both references over.
        private func pair(
            _ old: PersistentMapNode.Slot, _ oldHash: UInt, _ new: PersistentMapNode.Slot, shift: Int
        ) -> NodeReference {
            if shift >= PersistentMapNode.collisionShift {
                let node = unsafe PersistentMapNode.make(.collision(2))
                unsafe node.slots.initialize(to: old)
                unsafe (node.slots + 1).initialize(to: new)
                return unsafe node
            }
            let oldBit = PersistentMapNode.bit(oldHash, shift)
            let newBit = PersistentMapNode.bit(hash, shift)
            if oldBit == newBit {
                let child = unsafe pair(old, oldHash, new, shift: shift + PersistentMapNode.bitsPerLevel)
                let node = unsafe PersistentMapNode.make(PersistentMapBitmaps(entries: 0, children: oldBit))
                unsafe node.slots.initialize(to: child.slot)
                return unsafe node
            }
            let node = unsafe PersistentMapNode.make(PersistentMapBitmaps(entries: oldBit | newBit, children: 0))
            unsafe node.slots.initialize(to: oldBit < newBit ? old : new)
            unsafe (node.slots + 1).initialize(to: oldBit < newBit ? new : old)
            return unsafe node
        }
    }
}
