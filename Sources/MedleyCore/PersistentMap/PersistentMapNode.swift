/// The two bitmaps of a node: which of its 32 places hold an entry, and which hold a child node.
///
/// No place holds both. A node of entries whose hashes are equal has no places: there `children` is all ones and
/// `entries` is the number of entries, so that the two overlap and the kinds can be told apart.
struct PersistentMapBitmaps {
    var entries: UInt32
    var children: UInt32

    /// Whether the node holds entries with equal hashes, in no order.
    var isCollision: Bool { entries & children != 0 }

    /// The number of entries.
    var entryCount: Int { isCollision ? Int(entries) : entries.nonzeroBitCount }

    /// The number of entries and children.
    var slotCount: Int { isCollision ? Int(entries) : (entries | children).nonzeroBitCount }

    /// The slot of the entry at a place.
    func entryIndex(_ bit: UInt32) -> Int { (entries & (bit - 1)).nonzeroBitCount }

    /// The slot of the child at a place.
    func childIndex(_ bit: UInt32) -> Int { entries.nonzeroBitCount + (children & (bit - 1)).nonzeroBitCount }

    /// The bitmaps of a node of `count` entries with equal hashes.
    static func collision(_ count: Int) -> PersistentMapBitmaps {
        PersistentMapBitmaps(entries: UInt32(count), children: .max)
    }
}

/// One word of a node: a reference to an entry or a child node, counted by hand.
// SAFETY: a slot owns one reference to what it names; `PersistentMapNode.deinit` gives it up.
@safe struct PersistentMapSlot {
    private let reference: Unmanaged<AnyObject>

    /// Takes over a reference.
    // SAFETY: a node owns what its slots point to and releases it when it goes.
    init(_ pointer: UnsafeMutableRawPointer) { unsafe reference = Unmanaged.fromOpaque(pointer) }

    var pointer: UnsafeMutableRawPointer { unsafe reference.toOpaque() }

    /// The same with one reference more.
    func retain() -> PersistentMapSlot {
        _ = unsafe reference.retain()
        return self
    }

    func release() { unsafe reference.release() }
}

/// A node of a `PersistentMap`: the bitmaps and exactly as many slots as are needed, in one allocation.
///
/// Entries come first, in the order of their places, then child nodes. Each slot owns one reference. It is not generic,
/// so that all maps share one class and releasing a node needs no type metadata.
final class PersistentMapNode: ManagedBuffer<PersistentMapBitmaps, PersistentMapSlot> {
    typealias Slot = PersistentMapSlot

    /// How many bits of the hash a level takes.
    static let bitsPerLevel = 5
    /// From here on the hash has no more bits, and nodes are collision nodes.
    static let collisionShift = 65

    /// The bit of the place for a hash at the level that `shift` bits lie above.
    static func bit(_ hash: UInt, _ shift: Int) -> UInt32 { 1 << UInt32((hash >> UInt(shift)) & 31) }

    /// A node whose slots the caller must fill before anything else happens, at +1.
    static func make(_ bitmaps: PersistentMapBitmaps) -> NodeReference {
        let buffer = PersistentMapNode.create(minimumCapacity: bitmaps.slotCount) { _ in bitmaps }
        // SAFETY: a node owns what its slots point to and releases it when it goes.
        return unsafe Unmanaged.passRetained(unsafeDowncast(buffer, to: PersistentMapNode.self))
    }

    deinit {
        unsafe withUnsafeMutablePointers { bitmaps, slots in
            let count = unsafe bitmaps.pointee.slotCount
            for index in 0..<count { unsafe slots[index].release() }
        }
    }
}

// SAFETY: whether it owns a reference is said where one is stored or handed on.
typealias NodeReference = Unmanaged<PersistentMapNode>

extension Unmanaged<PersistentMapNode> {
    var bitmaps: PersistentMapBitmaps {
        get { unsafe _withUnsafeGuaranteedRef { $0.header } }
        nonmutating set { unsafe _withUnsafeGuaranteedRef { $0.header = newValue } }
    }

    /// The slots; they are there as long as the node is.
    var slots: UnsafeMutablePointer<PersistentMapNode.Slot> {
        unsafe _withUnsafeGuaranteedRef { unsafe $0.withUnsafeMutablePointerToElements { unsafe $0 } }
    }

    /// The child in a slot, at +0.
    func child(_ index: Int) -> NodeReference {
        // SAFETY: a node owns what its slots point to and releases it when it goes.
        unsafe Unmanaged.fromOpaque(slots[index].pointer)
    }

    /// Whether the slot holds the only reference to the child in it.
    func isChildUnique(_ index: Int) -> Bool {
        unsafe (slots + index).withMemoryRebound(to: PersistentMapNode.self, capacity: 1) {
            unsafe isKnownUniquelyReferenced(&$0.pointee)
        }
    }

    /// The same reference as what a slot holds.
    var slot: PersistentMapNode.Slot { unsafe PersistentMapSlot(toOpaque()) }

    /// The node with another content in one slot; the slot takes over the reference `new`.
    ///
    /// An owned node is changed in place and returned itself, without another reference to it; otherwise a copy at +1.
    func replacing(_ index: Int, with new: PersistentMapNode.Slot, owned: Bool) -> NodeReference {
        if owned {
            let old = unsafe slots[index]
            unsafe slots[index] = new
            old.release()
            return unsafe self
        }
        return unsafe rebuilt(bitmaps, dropping: index, adding: new, at: index, owned: false)
    }

    /// A node at +1 with other bitmaps: without the slot `dropped`, with `added` in slot `index` of the new node.
    ///
    /// An owned node gives its references away and is empty afterwards, so that nothing is retained or released; the
    /// dropped slot's reference is then the caller's. Otherwise all slots but the dropped one are retained.
    func rebuilt(
        _ bitmaps: PersistentMapBitmaps, dropping dropped: Int?, adding added: PersistentMapNode.Slot?,
        at index: Int = 0, owned: Bool
    ) -> NodeReference {
        let count = unsafe self.bitmaps.slotCount
        let node = unsafe PersistentMapNode.make(bitmaps)
        let source = unsafe slots
        var target = unsafe node.slots
        let dropped = dropped ?? -1
        if !owned { unsafe warm(source, count) }
        let gap = added == nil ? nil : unsafe node.slots + index
        for position in 0..<count where position != dropped {
            if unsafe target == gap { unsafe target += 1 }
            unsafe target.initialize(to: owned ? source[position] : source[position].retain())
            unsafe target += 1
        }
        if let added, let gap = unsafe gap { unsafe gap.initialize(to: added) }
        if owned { unsafe self.bitmaps = PersistentMapBitmaps(entries: 0, children: 0) }
        return unsafe node
    }

    /// Reads a word of all that the slots name.
    ///
    /// A retain is an atomic operation, which waits for what lies before it: on cold memory one waits for the other. Plain
    /// loads do not, so the memory comes in all at once.
    private func warm(_ slots: UnsafeMutablePointer<PersistentMapNode.Slot>, _ count: Int) {
        var words: UInt = 0
        for index in 0..<count { unsafe words |= slots[index].pointer.load(as: UInt.self) }
        precondition(words != 0 || count == 0, "an object without a class")
    }
}
