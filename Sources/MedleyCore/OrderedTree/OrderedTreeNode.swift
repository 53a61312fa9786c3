/// A node of an `OrderedTree`: a leaf or an inner node; which of them follows from the level.
class OrderedTreeNode {}

/// The links of an inner node to its children.
///
/// It is not generic, since the `deinit` of a generic class is never specialised and takes several times as long.
class OrderedTreeLinks: OrderedTreeNode {
    /// One for each child. The node owns their references.
    // SAFETY: the tree's operations never overlap on a node, as they have exclusive access to the tree; checking that at
    // run time would take a good part of their time. The same holds for the other parts of nodes.
    @safe @exclusivity(unchecked) final var links: ContiguousArray<OrderedTreeLink>

    init(_ links: ContiguousArray<OrderedTreeLink>) { self.links = links }

    /// Takes a reference for each link outside a range.
    ///
    /// A retain is an atomic operation, which waits for what lies before it: on cold memory one waits for the other. Plain
    /// loads do not, so reading a word of each child first brings the memory in all at once.
    final func retainLinks(except new: Range<Int>) {
        var words: UInt = 0
        for link in links { words |= link.firstWord }
        precondition(words != 0 || links.isEmpty, "an object without a class")
        for index in 0..<new.lowerBound { links[index].retain() }
        for index in new.upperBound..<links.count { links[index].retain() }
    }

    deinit {
        for link in links { link.release() }
    }
}

/// A reference to a child, and the number of elements below it.
///
/// The reference is counted by hand, so that a node's links are copied as plain bytes with one retain for each. What
/// makes or copies one hands it to the node that takes it over.
// SAFETY: an `OrderedTreeLinks` owns one reference for each of its links and gives it up in `deinit`.
@safe struct OrderedTreeLink {
    private var reference: Unmanaged<OrderedTreeNode>
    var count: Int

    /// A new reference to a node.
    init(_ node: OrderedTreeNode, count: Int) {
        // SAFETY: given up by `replace`, or by the `OrderedTreeLinks` that the link is in.
        unsafe reference = Unmanaged.passRetained(node)
        self.count = count
    }

    /// The word that every object begins with.
    var firstWord: UInt { unsafe reference.toOpaque().load(as: UInt.self) }

    var node: OrderedTreeNode { unsafe reference.takeUnretainedValue() }

    /// Whether this is the only reference to the node.
    var isUnique: Bool {
        var reference = unsafe reference
        return unsafe withUnsafeMutablePointer(to: &reference) { pointer in
            unsafe pointer.withMemoryRebound(to: OrderedTreeNode.self, capacity: 1) {
                unsafe isKnownUniquelyReferenced(&$0.pointee)
            }
        }
    }

    /// Puts another node in the place of this one.
    mutating func replace(_ node: OrderedTreeNode) {
        let old = unsafe reference
        // SAFETY: given up by `replace`, or by the `OrderedTreeLinks` that the link is in.
        unsafe reference = Unmanaged.passRetained(node)
        unsafe old.release()
    }

    func retain() { _ = unsafe reference.retain() }
    func release() { unsafe reference.release() }
}
