extension OrderedTree {
    /// A tree of elements whose keys ascend. O(n); nodes are left with an eighth of their room for what comes.
    init(sorted elements: some Sequence<Element>) {
        self.init()
        let leafSize = Self.leafCapacity / 8 * 7
        var level: ContiguousArray<Child> = []
        var run: ContiguousArray<Element> = []
        var lastKey: Element.Key?
        func finishLeaf() {
            level.append(Self.child(Leaf(run), height: 0))
            run = []
        }
        for element in elements {
            let key = element.orderKey
            if let lastKey { precondition(lastKey < key, "the keys must ascend") }
            lastKey = key
            if run.count == leafSize { finishLeaf() }
            if run.isEmpty { run.reserveCapacity(leafSize) }
            run.append(element)
            count += 1
        }
        guard count > 0 else { return }
        finishLeaf()
        while level.count > 1 {
            height += 1
            let size = Self.fanOut / 8 * 7
            level = ContiguousArray(
                stride(from: 0, to: level.count, by: size).map { start in
                    Self.child(Inner(level[start..<Swift.min(start + size, level.count)]), height: height)
                })
        }
        root = level[0].link.node
        level[0].link.release()
    }
}
