extension PersistentMap: Sequence {
    /// All elements, each once, in no particular order. O(1) amortised for each.
    func makeIterator() -> Iterator { Iterator(root) }

    var underestimatedCount: Int { count }

    /// A walk over the elements of a map, which it keeps alive.
    struct Iterator: IteratorProtocol {
        /// The nodes from the root to where the walk is, each with the next slot to visit.
        private var path: [(node: PersistentMapNode, next: Int)] = []

        init(_ root: PersistentMapNode?) {
            if let root { path.append((root, 0)) }
        }

        mutating func next() -> Element? {
            while let (node, index) = path.last {
                // SAFETY: the iterator holds the map, which owns the node.
                let reference = unsafe Unmanaged.passUnretained(node)
                let bitmaps = node.header
                if index == bitmaps.slotCount {
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if index < bitmaps.entryCount {
                    return unsafe PersistentMap.entry(reference.slots[index]).takeUnretainedValue()
                }
                unsafe path.append((reference.child(index).takeUnretainedValue(), 0))
            }
            return nil
        }
    }
}
