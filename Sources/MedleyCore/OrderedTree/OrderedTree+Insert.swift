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
            link: OrderedTreeLink(self.root ?? root, count: count - sibling.link.count),
            leastKey: Self.leastKey(of: self.root ?? root, height))
        self.root = Inner([left, sibling])
        height += 1
    }

    /// The key of the first element below a node.
    static func leastKey(of node: Node, _ height: Int) -> Element.Key {
        height == 0 ? leaf(node).elements[0].orderKey : inner(node).leastKeys[0]
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
        let isLast = isLast && index == inner.count - 1
        let childOwned = owned && inner.links[index].isUnique
        let result = insert(
            element, key, into: inner.links[index].node, height - 1, owned: childOwned, isLast: isLast)

        let added = 1 - (result.sibling?.link.count ?? 0)
        if owned {
            inner.links[index].count += added
            if key < inner.leastKeys[index] { inner.leastKeys[index] = key }
            if let node = result.node { inner.links[index].replace(node) }
            guard let sibling = result.sibling else { return Insertion() }
            inner.insert(sibling, at: index + 1)
            return Insertion(sibling: split(inner, height, atEnd: isLast))
        }
        let link = inner.links[index]
        let child = Child(
            link: OrderedTreeLink(result.node ?? link.node, count: link.count + added),
            leastKey: Swift.min(key, inner.leastKeys[index]))
        let copy: Inner
        if let sibling = result.sibling {
            copy = Inner(inner, replacing: index..<index + 1, with: [child, sibling])
        } else {
            copy = Inner(inner, replacing: index..<index + 1, with: CollectionOfOne(child))
        }
        return Insertion(node: copy, sibling: split(copy, height, atEnd: isLast))
    }

    /// Takes the right part off an inner node that has become too large.
    ///
    /// At the right edge that is only the newest child, since more will follow there.
    private static func split(_ inner: Inner, _ height: Int, atEnd: Bool) -> Child? {
        let count = inner.count
        guard count > fanOut else { return nil }
        let middle = atEnd ? count - 1 : count / 2
        return child(inner.split(at: middle), height: height)
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
