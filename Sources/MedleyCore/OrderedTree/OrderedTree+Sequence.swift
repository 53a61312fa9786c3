extension OrderedTree: Sequence {
    /// The elements from an index on, in order. O(log n), then O(1) amortised for each.
    func makeIterator(from index: Int) -> Iterator { Iterator(self, from: index) }

    /// All elements, in order.
    func makeIterator() -> Iterator { Iterator(self, from: 0) }

    var underestimatedCount: Int { count }

    /// A walk over a tree, which it keeps alive; a copy walks on by itself.
    struct Iterator: IteratorProtocol {
        /// The inner nodes from the root down, each with the child that the walk is in.
        private var path: ContiguousArray<(inner: Inner, index: Int)> = []
        private var elements: ContiguousArray<Element> = []
        private var position = 0

        init(_ tree: OrderedTree, from index: Int) {
            precondition(index >= 0 && index <= tree.count, "index out of range")
            guard var node = tree.root, index < tree.count else { return }
            position = index
            for _ in 0..<tree.height {
                let inner = OrderedTree.inner(node)
                let child = inner.childIndex(at: &position)
                path.append((inner, child))
                node = inner.links[child].node
            }
            elements = OrderedTree.leaf(node).elements
        }

        mutating func next() -> Element? {
            if position == elements.count {
                guard advance() else { return nil }
            }
            defer { position += 1 }
            return elements[position]
        }

        /// Goes on to the next leaf, if there is one.
        private mutating func advance() -> Bool {
            guard let depth = path.lastIndex(where: { $0.index + 1 < $0.inner.count }) else { return false }
            path[depth].index += 1
            for level in depth..<path.count - 1 {
                path[level + 1] = (OrderedTree.inner(path[level].inner.links[path[level].index].node), 0)
            }
            let last = path[path.count - 1]
            elements = OrderedTree.leaf(last.inner.links[last.index].node).elements
            position = 0
            return true
        }
    }
}
