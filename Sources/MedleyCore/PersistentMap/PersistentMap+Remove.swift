extension PersistentMap {
    /// Takes out the element with a key and returns it; without one, nothing is copied. O(1) expected.
    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        let owned = isKnownUniquelyReferenced(&root)
        guard let root else { return nil }
        var removal = Removal(key: key, hash: Self.hash(key))
        // SAFETY: the map holds the root throughout.
        switch unsafe removal.carryOut(in: Unmanaged.passUnretained(root), owned: owned, shift: 0) {
        case .unchanged: break
        case .node(let node): unsafe setRoot(node)
        case .entry, .nothing: self.root = nil
        }
        if removal.removed != nil { count -= 1 }
        return removal.removed
    }

    /// What takes a node's place after a removal.
    @unsafe
    private enum Remainder {
        /// The node itself.
        case unchanged
        /// Another node, at +1.
        case node(NodeReference)
        /// A single entry, at +1, that the node above must hold itself.
        case entry(PersistentMapNode.Slot)
        /// Nothing: the root's last entry is gone.
        case nothing
    }

    /// A removal on its way down the tree.
    private struct Removal {
        let key: Element.Key
        let hash: UInt
        var removed: Element?

        /// Returns what takes the place of `node`. An owned node is one that nothing but the slot above refers to.
        mutating func carryOut(in node: NodeReference, owned: Bool, shift: Int) -> Remainder {
            let bitmaps = unsafe node.bitmaps
            if shift >= PersistentMapNode.collisionShift {
                guard let index = unsafe PersistentMap.collisionIndex(of: key, in: node) else {
                    return unsafe .unchanged
                }
                let rest = bitmaps.entryCount - 1
                return unsafe withoutEntry(index, leaving: .collision(rest), rest, in: node, owned: owned, shift: shift)
            }
            let bit = PersistentMapNode.bit(hash, shift)
            if bitmaps.children & bit != 0 {
                let index = bitmaps.childIndex(bit)
                let childOwned = unsafe owned && node.isChildUnique(index)
                let child = unsafe node.child(index)
                switch unsafe carryOut(in: child, owned: childOwned, shift: shift + PersistentMapNode.bitsPerLevel) {
                case .unchanged, .nothing:
                    return unsafe .unchanged
                case .node(let new):
                    let result = unsafe node.replacing(index, with: new.slot, owned: owned)
                    return unsafe owned ? .unchanged : .node(result)
                case .entry(let slot):
                    return unsafe with(slot, inPlaceOf: bit, in: node, owned: owned, shift: shift)
                }
            }
            guard bitmaps.entries & bit != 0 else { return unsafe .unchanged }
            let index = bitmaps.entryIndex(bit)
            guard unsafe PersistentMap.has(PersistentMap.entry(node.slots[index]), key) else {
                return unsafe .unchanged
            }
            let rest = PersistentMapBitmaps(entries: bitmaps.entries ^ bit, children: bitmaps.children)
            return unsafe withoutEntry(index, leaving: rest, rest.slotCount, in: node, owned: owned, shift: shift)
        }

        /// Takes the entry in a slot out of a node, which leaves `rest` slots.
        private mutating func withoutEntry(
            _ index: Int, leaving bitmaps: PersistentMapBitmaps, _ rest: Int, in node: NodeReference, owned: Bool,
            shift: Int
        ) -> Remainder {
            let slot = unsafe node.slots[index]
            removed = unsafe PersistentMap.entry(slot).takeUnretainedValue()
            if rest == 0 { return unsafe .nothing }
            if rest == 1, shift > 0, unsafe node.bitmaps.entryCount == 2 {
                // An entry alone moves up into the node above.
                return unsafe .entry(node.slots[1 - index].retain())
            }
            let new = unsafe node.rebuilt(bitmaps, dropping: index, adding: nil, owned: owned)
            if owned { slot.release() }
            return unsafe .node(new)
        }

        /// Puts the last entry of a child in the child's place; takes its reference over.
        private func with(
            _ slot: PersistentMapNode.Slot, inPlaceOf bit: UInt32, in node: NodeReference, owned: Bool, shift: Int
        ) -> Remainder {
            let old = unsafe node.bitmaps
            if shift > 0, old.slotCount == 1 { return unsafe .entry(slot) }
            let child = unsafe node.child(old.childIndex(bit))
            let bitmaps = PersistentMapBitmaps(entries: old.entries | bit, children: old.children ^ bit)
            let new = unsafe node.rebuilt(
                bitmaps, dropping: old.childIndex(bit), adding: slot, at: bitmaps.entryIndex(bit), owned: owned)
            if owned { unsafe child.release() }
            return unsafe .node(new)
        }
    }
}
