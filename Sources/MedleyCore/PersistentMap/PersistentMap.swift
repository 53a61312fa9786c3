/// A hash map of objects that is a value: copies share structure, and a change costs a path from the root.
///
/// It is a compressed hash-array mapped prefix tree (CHAMP; Steindorfer and Vinju 2015): 32-way nodes that hold entries
/// and child nodes side by side, only as many as there are, in canonical form, so that a node with a single entry does
/// not occur below the root. What only this map refers to is changed in place. Hashes are Swift's, seeded per process,
/// and taken once for each operation. A map costs about 20 bytes for each entry beyond the element itself.
// SAFETY: nodes are changed only while a single map refers to them, which has exclusive access; elements are Sendable.
struct PersistentMap<Element: PersistentMapElement>: @unchecked Sendable {
    var root: PersistentMapNode?

    /// The number of entries. O(1).
    var count: Int

    /// An empty map. O(1), without allocation.
    init() {
        root = nil
        count = 0
    }

    /// Whether there are no entries. O(1).
    var isEmpty: Bool { count == 0 }

    /// The element with a key. O(1) expected: at most one node for each five bits of the hash.
    func find(_ key: Element.Key) -> Element? {
        find(key, hash: Self.hash(key))
    }

    /// `find` for a hash that is known.
    func find(_ key: Element.Key, hash: UInt) -> Element? {
        guard let root else { return nil }
        return withExtendedLifetime(root) {
            // SAFETY: the map owns its nodes, and they what their slots point to.
            var node = unsafe Unmanaged.passUnretained(root)
            var shift = 0
            while true {
                let bitmaps = unsafe node.bitmaps
                if shift >= PersistentMapNode.collisionShift {
                    let index = unsafe Self.collisionIndex(of: key, in: node)
                    return index.map { unsafe Self.entry(node.slots[$0]).takeUnretainedValue() }
                }
                let bit = PersistentMapNode.bit(hash, shift)
                if bitmaps.children & bit != 0 {
                    unsafe node = unsafe node.child(bitmaps.childIndex(bit))
                    shift += PersistentMapNode.bitsPerLevel
                    continue
                }
                guard bitmaps.entries & bit != 0 else { return nil }
                let entry = unsafe Self.entry(node.slots[bitmaps.entryIndex(bit)])
                guard unsafe Self.has(entry, key) else { return nil }
                return unsafe entry.takeUnretainedValue()
            }
        }
    }
}

// MARK: What the operations share

extension PersistentMap {
    /// The hash that decides where a key stands.
    static func hash(_ key: Element.Key) -> UInt { UInt(bitPattern: key.hashValue) }

    /// The entry that a slot names, at +0.
    // SAFETY: the map owns its nodes, and they what their slots point to.
    static func entry(_ slot: PersistentMapNode.Slot) -> Unmanaged<Element> {
        unsafe Unmanaged.fromOpaque(slot.pointer)
    }

    /// The reference to an element that a slot takes over, at +1.
    static func slot(_ element: Element) -> PersistentMapNode.Slot {
        // SAFETY: the slot owns this reference until its node gives it up.
        unsafe PersistentMapSlot(Unmanaged.passRetained(element).toOpaque())
    }

    /// Whether an entry has a key.
    // SAFETY: the map owns its nodes, and they what their slots point to.
    static func has(_ entry: Unmanaged<Element>, _ key: Element.Key) -> Bool {
        unsafe entry._withUnsafeGuaranteedRef { $0.mapKey == key }
    }

    /// The slot of a key in a node of entries with equal hashes.
    static func collisionIndex(of key: Element.Key, in node: NodeReference) -> Int? {
        let count = unsafe node.bitmaps.entryCount
        for index in 0..<count where unsafe has(entry(node.slots[index]), key) {
            return index
        }
        return nil
    }

    /// Puts what an operation made of the root in its place.
    mutating func setRoot(_ new: NodeReference) {
        // SAFETY: only the addresses are compared.
        if let root, unsafe Unmanaged.passUnretained(root).toOpaque() == new.toOpaque() { return }
        root = unsafe new.takeRetainedValue()
    }
}
