extension OrderedTree {
    /// Takes out the element with a key and returns it; without one, nothing is copied. O(log n).
    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        let owned = isKnownUniquelyReferenced(&root)
        guard let root else { return nil }
        guard let result = Self.remove(key, from: root, height, owned: owned, isLast: true) else { return nil }
        count -= 1
        if let node = result.node { self.root = node }
        if result.size == 0 {
            self.root = nil
            height = 0
        }
        while height > 0, let root = self.root {
            let inner = Self.inner(root)
            guard inner.count == 1 else { break }
            self.root = inner.links[0].node
            height -= 1
        }
        return result.removed
    }

    /// What a removal made of a node.
    private struct Removal {
        let removed: Element
        /// The node that takes its place, or `nil` if it is still the same.
        var node: Node?
        /// The number of elements of a leaf or children of an inner node now.
        var size: Int
        /// The new least key, if it is another than before.
        var leastKey: Element.Key?
    }

    /// Removes below a node; `nil` if the key is not there. The parameters are as for an insertion.
    private static func remove(
        _ key: Element.Key, from node: Node, _ height: Int, owned: Bool, isLast: Bool
    ) -> Removal? {
        if height == 0 { return remove(key, from: leaf(node), owned: owned) }
        let inner = inner(node)
        let index = inner.childIndex(for: key)
        let isLast = isLast && index == inner.count - 1
        let childOwned = owned && inner.links[index].isUnique
        guard
            let result = remove(
                key, from: inner.links[index].node, height - 1, owned: childOwned, isLast: isLast)
        else { return nil }

        let target: Inner
        if result.size == 0 {
            if owned {
                target = inner
                inner.remove(at: index)
            } else {
                target = Inner(inner, replacing: index..<index + 1, with: EmptyCollection())
            }
        } else {
            if owned {
                target = inner
                inner.links[index].count -= 1
                if let leastKey = result.leastKey { inner.leastKeys[index] = leastKey }
                if let node = result.node { inner.links[index].replace(node) }
            } else {
                let link = inner.links[index]
                let child = Child(
                    link: OrderedTreeLink(result.node ?? link.node, count: link.count - 1),
                    leastKey: result.leastKey ?? inner.leastKeys[index])
                target = Inner(inner, replacing: index..<index + 1, with: CollectionOfOne(child))
            }
            // At the right edge more is likely to follow, and merging would leave half-full nodes behind.
            if !isLast, result.size < leastSize(height - 1) { rebalance(target, index, height - 1) }
        }
        return Removal(
            removed: result.removed, node: owned ? nil : target, size: target.count,
            leastKey: index == 0 ? target.leastKeys.first : nil)
    }

    private static func remove(_ key: Element.Key, from leaf: Leaf, owned: Bool) -> Removal? {
        let position = leaf.position(notBefore: key)
        let count = leaf.elements.count
        guard position < count, leaf.elements[position].orderKey == key else { return nil }
        let removed = leaf.elements[position]
        let leastKey = position == 0 && count > 1 ? leaf.elements[1].orderKey : nil
        if owned {
            leaf.dropAttachment()
            leaf.elements.remove(at: position)
            return Removal(removed: removed, node: nil, size: count - 1, leastKey: leastKey)
        }
        if count == 1 { return Removal(removed: removed, node: nil, size: 0, leastKey: nil) }
        let copy = Leaf(
            leaf.elements.replacing(
                position..<position + 1, with: EmptyCollection(), granularity: leafGranularity))
        return Removal(removed: removed, node: copy, size: count - 1, leastKey: leastKey)
    }

    /// The least size of a node at a height that is not at the right edge.
    static func leastSize(_ height: Int) -> Int { (height == 0 ? leafCapacity : fanOut) / 4 }

    /// Joins a child that has become too small with a neighbour, or shares what both have between them.
    private static func rebalance(_ parent: Inner, _ index: Int, _ height: Int) {
        guard parent.count > 1 else { return }
        let left = index + 1 < parent.count ? index : index - 1
        let nodes = (parent.links[left].node, parent.links[left + 1].node)
        let parts: [Node]
        if height == 0 {
            let both = leaf(nodes.0).elements + leaf(nodes.1).elements
            parts = self.parts(of: both.count, leafCapacity).map { part in
                Leaf(both.spliced(part, EmptyCollection(), 0..<0, granularity: leafGranularity))
            }
        } else {
            let (first, second) = (inner(nodes.0), inner(nodes.1))
            let both = (0..<first.count).map { first[$0] } + (0..<second.count).map { second[$0] }
            for child in both { child.link.retain() }
            parts = self.parts(of: both.count, fanOut).map { Inner(both[$0]) }
        }
        parent.remove(at: left + 1)
        parent.remove(at: left)
        for part in parts.reversed() { parent.insert(child(part, height: height), at: left) }
    }

    /// One node for everything if that leaves a quarter of it free, otherwise two of the same size.
    private static func parts(of count: Int, _ capacity: Int) -> [Range<Int>] {
        count <= capacity * 3 / 4 ? [0..<count] : [0..<count / 2, count / 2..<count]
    }
}
