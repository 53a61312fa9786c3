extension OrderedTree {
    /// Inserts an element whose key is not there yet. O(log n).
    mutating func insert(_ element: Element) {
        let owned = isKnownUniquelyReferenced(&root)
        count += 1
        guard let root else {
            self.root = Leaf([element])
            return
        }
        let key = element.orderKey
        let result = Self.insert(element, key, into: root, height, owned: owned, isLast: true)
        if let node = result.node { self.root = node }
        guard let sibling = result.sibling else { return }
        let left = Child(
            node: result.node ?? root, count: count - sibling.count,
            leastKey: Swift.min(key, Self.leastKey(of: result.node ?? root, height)))
        self.root = Inner([left, sibling])
        height += 1
    }

    private static func leastKey(of node: Node, _ height: Int) -> Element.Key {
        height == 0 ? leaf(node).elements[0].orderKey : inner(node).children[0].leastKey
    }

    /// What an insertion made of a node.
    private struct Insertion {
        /// The node that takes its place, or `nil` if it is still the same.
        var node: Node?
        /// The node that stands right of it since it was split.
        var sibling: Child?
    }

    /// Inserts below a node. It is changed in place if `owned`, that is if only the tree refers to it. `isLast` says
    /// that it is at the right edge.
    private static func insert(
        _ element: Element, _ key: Element.Key, into node: Node, _ height: Int, owned: Bool, isLast: Bool
    ) -> Insertion {
        if height == 0 { return insert(element, key, into: leaf(node), owned: owned, isLast: isLast) }
        let inner = inner(node)
        let index = inner.childIndex(for: key)
        let isLast = isLast && index == inner.children.count - 1
        let childOwned = owned && isKnownUniquelyReferenced(&inner.children[index].node)
        let result = insert(
            element, key, into: inner.children[index].node, height - 1, owned: childOwned, isLast: isLast)

        let added = 1 - (result.sibling?.count ?? 0)
        if owned {
            inner.children[index].count += added
            if key < inner.children[index].leastKey { inner.children[index].leastKey = key }
            if let node = result.node { inner.children[index].node = node }
            guard let sibling = result.sibling else { return Insertion() }
            inner.children.insert(sibling, at: index + 1)
            return Insertion(sibling: split(inner, height, atEnd: isLast))
        }
        var child = inner.children[index]
        child.count += added
        child.leastKey = Swift.min(key, child.leastKey)
        if let node = result.node { child.node = node }
        let copy = Inner(
            result.sibling.map { inner.children.replacing(index..<index + 1, with: [child, $0]) }
                ?? inner.children.replacing(index..<index + 1, with: CollectionOfOne(child)))
        return Insertion(node: copy, sibling: split(copy, height, atEnd: isLast))
    }

    /// Takes the right part off an inner node that has become too large.
    ///
    /// At the right edge that is only the newest child, since more will follow there.
    private static func split(_ inner: Inner, _ height: Int, atEnd: Bool) -> Child? {
        let count = inner.children.count
        guard count > fanOut else { return nil }
        let middle = atEnd ? count - 1 : count / 2
        let right = Inner(inner.children.spliced(middle..<count, EmptyCollection(), count..<count))
        inner.children.removeLast(count - middle)
        return child(right, height: height)
    }

    private static func insert(
        _ element: Element, _ key: Element.Key, into leaf: Leaf, owned: Bool, isLast: Bool
    ) -> Insertion {
        let position = leaf.position(notBefore: key)
        let count = leaf.elements.count
        precondition(position == count || key < leaf.elements[position].orderKey, "the key is in the tree already")
        if count < leafCapacity {
            if owned, count < leaf.elements.capacity {
                leaf.dropAttachment()
                leaf.elements.insert(element, at: position)
                return Insertion()
            }
            let elements = leaf.elements.replacing(
                position..<position, with: CollectionOfOne(element), granularity: leafGranularity)
            return Insertion(node: Leaf(elements))
        }
        if isLast && position == count {
            return Insertion(sibling: child(Leaf([element]), height: 0))
        }
        let middle = (count + 1) / 2
        let left: ContiguousArray<Element>
        let right: ContiguousArray<Element>
        if position < middle {
            left = leaf.elements.spliced(
                0..<position, CollectionOfOne(element), position..<middle, granularity: leafGranularity)
            right = leaf.elements.spliced(
                middle..<count, EmptyCollection(), count..<count, granularity: leafGranularity)
        } else {
            left = leaf.elements.spliced(0..<middle, EmptyCollection(), 0..<0, granularity: leafGranularity)
            right = leaf.elements.spliced(
                middle..<position, CollectionOfOne(element), position..<count, granularity: leafGranularity)
        }
        return Insertion(node: Leaf(left), sibling: child(Leaf(right), height: 0))
    }

    /// A leaf's storage has room for a multiple of so many elements, so that few of them leave little unused.
    static var leafGranularity: Int { 8 }
}
