import Synchronization

extension OrderedTree {
    /// The leaf that holds the element at an index. O(log n).
    func leafView(at index: Int) -> LeafView {
        let (leaf, position) = leaf(at: index)
        return LeafView(startIndex: index - position, leaf: leaf)
    }

    /// A run of elements that trees share as long as none of them changes.
    // SAFETY: while a view holds the leaf no tree changes it in place; the attachment is guarded by a mutex.
    struct LeafView: @unchecked Sendable {
        /// The index of the first element in the tree.
        let startIndex: Int
        private let leaf: Leaf

        fileprivate init(startIndex: Int, leaf: Leaf) {
            self.startIndex = startIndex
            self.leaf = leaf
        }

        /// The number of elements. O(1).
        var count: Int { leaf.elements.count }

        /// The elements. O(1): they are shared.
        var elements: ContiguousArray<Element> { leaf.elements }

        /// What `make` made of the elements, once for all trees that share the leaf.
        ///
        /// Thread-safe: one thread makes it and others that want it wait, so `make` must not ask for the attachment of
        /// the same leaf. It should depend on the elements alone. One of another type is replaced.
        func attachment<A: AnyObject & Sendable>(make: () -> A) -> A {
            leaf.attachment.withLock { held in
                if let made = held as? A { return made }
                let made = make()
                held = made
                return made
            }
        }
    }
}
