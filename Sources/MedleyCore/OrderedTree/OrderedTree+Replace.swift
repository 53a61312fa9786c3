extension OrderedTree {
    /// Puts an element in the place of the one with `key`, which must be there.
    ///
    /// The new key may be another, but must lie strictly between those of the neighbours. O(log n).
    mutating func replace(_ key: Element.Key, with element: Element) {
        assert(self.element(before: key).map { $0.orderKey < element.orderKey } ?? true, "not between the neighbours")
        assert(self.element(after: key).map { element.orderKey < $0.orderKey } ?? true, "not between the neighbours")
        let owned = isKnownUniquelyReferenced(&root)
        guard let root else { preconditionFailure("the key is not in the tree") }
        if let node = Self.replace(key, with: element, in: root, height, owned: owned) { self.root = node }
    }

    /// Returns the node that takes the place of `node`, or `nil` if it was changed in place.
    private static func replace(
        _ key: Element.Key, with element: Element, in node: Node, _ height: Int, owned: Bool
    ) -> Node? {
        if height == 0 { return replace(key, with: element, in: leaf(node), owned: owned) }
        let inner = inner(node)
        let index = inner.childIndex(for: key)
        let childOwned = owned && inner.links[index].isUnique
        let new = replace(key, with: element, in: inner.links[index].node, height - 1, owned: childOwned)
        let leastKey = inner.leastKeys[index] == key ? element.orderKey : inner.leastKeys[index]
        if owned {
            inner.leastKeys[index] = leastKey
            if let new { inner.links[index].replace(new) }
            return nil
        }
        let link = inner.links[index]
        let child = Child(link: OrderedTreeLink(new ?? link.node, count: link.count), leastKey: leastKey)
        return Inner(inner, replacing: index..<index + 1, with: CollectionOfOne(child))
    }

    private static func replace(
        _ key: Element.Key, with element: Element, in leaf: Leaf, owned: Bool
    ) -> Node? {
        let position = leaf.position(notBefore: key)
        precondition(
            position < leaf.elements.count && leaf.elements[position].orderKey == key, "the key is not in the tree")
        if owned {
            leaf.dropAttachment()
            leaf.elements[position] = element
            return nil
        }
        return Leaf(
            leaf.elements.replacing(
                position..<position + 1, with: CollectionOfOne(element), granularity: leafGranularity))
    }
}
