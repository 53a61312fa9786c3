extension OrderedTree {
    /// What is wrong with the structure, or `nil`. For tests; O(n).
    func checkInvariants() -> String? {
        guard let root else {
            return count == 0 && height == 0 ? nil : "count \(count) and height \(height) without a root"
        }
        if height > 0, Self.inner(root).count < 2 { return "a root with a single child" }
        var check = Check()
        check.visit(root, height, isLast: true)
        if check.fault == nil, check.count != count { return "\(check.count) elements, but a count of \(count)" }
        return check.fault
    }

    /// A walk that stops at the first fault.
    private struct Check {
        var fault: String?
        var count = 0
        var lastKey: Element.Key?

        mutating func visit(_ node: Node, _ height: Int, isLast: Bool) {
            if height == 0 {
                guard let leaf = node as? Leaf else { return fault = "no leaf at the lowest level" }
                visit(leaf, isLast: isLast)
            } else {
                guard let inner = node as? Inner else { return fault = "no inner node at height \(height)" }
                visit(inner, height, isLast: isLast)
            }
        }

        private mutating func visit(_ leaf: Leaf, isLast: Bool) {
            checkSize(leaf.elements.count, 0, isLast: isLast)
            for element in leaf.elements {
                let key = element.orderKey
                if let lastKey, !(lastKey < key) { fault = fault ?? "\(key) after \(lastKey)" }
                lastKey = key
            }
            count += leaf.elements.count
        }

        private mutating func visit(_ inner: Inner, _ height: Int, isLast: Bool) {
            checkSize(inner.count, height, isLast: isLast)
            if inner.leastKeys.count != inner.count { return fault = "another number of keys than of children" }
            for (index, link) in inner.links.enumerated() where fault == nil {
                let before = count
                visit(link.node, height - 1, isLast: isLast && index == inner.count - 1)
                guard fault == nil else { return }
                if count - before != link.count { fault = "a wrong count at height \(height)" }
                if OrderedTree.leastKey(of: link.node, height - 1) != inner.leastKeys[index] {
                    fault = "a wrong least key at height \(height)"
                }
            }
        }

        private mutating func checkSize(_ size: Int, _ height: Int, isLast: Bool) {
            let least = isLast ? 1 : OrderedTree.leastSize(height)
            let most = height == 0 ? OrderedTree.leafCapacity : OrderedTree.fanOut
            if !(least...most).contains(size) { fault = fault ?? "a node of size \(size) at height \(height)" }
        }
    }
}
