extension OrderedTree {
    /// The element with the least key. O(log n).
    var first: Element? { isEmpty ? nil : self[0] }

    /// The element with the greatest key. O(log n).
    var last: Element? { isEmpty ? nil : self[count - 1] }

    /// The element at an index. O(log n).
    subscript(index: Int) -> Element {
        let (leaf, position) = leaf(at: index)
        return leaf.elements[position]
    }

    /// The index of the element with a key, or `nil` if there is none. O(log n).
    func index(of key: Element.Key) -> Int? {
        guard let (leaf, start) = leaf(for: key) else { return nil }
        let position = leaf.position(notBefore: key)
        guard position < leaf.elements.count, leaf.elements[position].orderKey == key else { return nil }
        return start + position
    }

    /// The index of the first element that has the key or a greater one: the number of smaller ones. O(log n).
    func indexOfFirst(notBefore key: Element.Key) -> Int {
        guard let (leaf, start) = leaf(for: key) else { return 0 }
        return start + leaf.position(notBefore: key)
    }

    /// The element with a key. O(log n).
    func find(_ key: Element.Key) -> Element? {
        guard let (leaf, _) = leaf(for: key) else { return nil }
        let position = leaf.position(notBefore: key)
        guard position < leaf.elements.count, leaf.elements[position].orderKey == key else { return nil }
        return leaf.elements[position]
    }

    /// The last element with a smaller key; the key itself need not be there. O(log n).
    func element(before key: Element.Key) -> Element? {
        guard let (leaf, start) = leaf(for: key) else { return nil }
        let position = leaf.position(notBefore: key)
        if position > 0 { return leaf.elements[position - 1] }
        return start > 0 ? self[start - 1] : nil
    }

    /// The first element with a greater key; the key itself need not be there. O(log n).
    func element(after key: Element.Key) -> Element? {
        guard let (leaf, start) = leaf(for: key) else { return nil }
        var position = leaf.position(notBefore: key)
        if position < leaf.elements.count, leaf.elements[position].orderKey == key { position += 1 }
        if position < leaf.elements.count { return leaf.elements[position] }
        return start + position < count ? self[start + position] : nil
    }
}

// MARK: Ways down

extension OrderedTree {
    /// The leaf that holds the element at an index, and the element's position in it.
    func leaf(at index: Int) -> (leaf: Leaf, position: Int) {
        precondition(index >= 0 && index < count, "index out of range")
        guard var node = root else { preconditionFailure("a count without a root") }
        var position = index
        for _ in 0..<height {
            let inner = Self.inner(node)
            node = inner.links[inner.childIndex(at: &position)].node
        }
        return (Self.leaf(node), position)
    }

    /// The leaf in whose range a key lies, and the index of its first element; `nil` in an empty tree.
    func leaf(for key: Element.Key) -> (leaf: Leaf, start: Int)? {
        guard var node = root else { return nil }
        var start = 0
        for _ in 0..<height {
            let inner = Self.inner(node)
            let position = inner.childIndex(for: key)
            start += inner.count(before: position)
            node = inner.links[position].node
        }
        return (Self.leaf(node), start)
    }
}
