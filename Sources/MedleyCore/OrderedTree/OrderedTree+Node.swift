import Synchronization

extension OrderedTree {
    typealias Node = OrderedTreeNode

    /// A run of elements.
    final class Leaf: Node {
        // SAFETY: as for `OrderedTreeLinks.links`.
        @safe @exclusivity(unchecked) var elements: ContiguousArray<Element>
        /// What was made of the elements; not kept when they change, nor copied along.
        let attachment = Mutex<(any AnyObject & Sendable)?>(nil)

        init(_ elements: ContiguousArray<Element>) { self.elements = elements }

        /// The first position whose element has the key or a greater one; `count` if all are smaller.
        func position(notBefore key: Element.Key) -> Int {
            var (low, high) = (0, elements.count)
            while low < high {
                let middle = (low + high) / 2
                if elements[middle].orderKey < key { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// Says that the elements are about to change in place.
        func dropAttachment() { attachment.withLock { $0 = nil } }
    }

    /// A child as the node above knows it: the link, and the key of the first element below.
    struct Child {
        var link: OrderedTreeLink
        var leastKey: Element.Key
    }

    /// A run of child nodes, all leaves or all inner.
    final class Inner: OrderedTreeLinks {
        /// The key of the first element below each child.
        // SAFETY: as for `OrderedTreeLinks.links`.
        @safe @exclusivity(unchecked) var leastKeys: ContiguousArray<Element.Key>

        /// Takes over the links.
        init(_ links: ContiguousArray<OrderedTreeLink>, _ leastKeys: ContiguousArray<Element.Key>) {
            self.leastKeys = leastKeys
            super.init(links)
        }

        /// Takes over the children.
        convenience init(_ children: some Collection<Child>) {
            self.init(ContiguousArray(children.lazy.map(\.link)), ContiguousArray(children.lazy.map(\.leastKey)))
        }

        /// A copy that takes over other children in place of those in a range.
        convenience init(_ other: Inner, replacing range: Range<Int>, with new: some Collection<Child>) {
            self.init(
                other.links.replacing(range, with: new.lazy.map(\.link)),
                other.leastKeys.replacing(range, with: new.lazy.map(\.leastKey)))
            retainLinks(except: range.lowerBound..<range.lowerBound + new.count)
        }

        /// The number of children.
        var count: Int { links.count }

        /// A child, without a reference of its own.
        subscript(index: Int) -> Child { Child(link: links[index], leastKey: leastKeys[index]) }

        /// Takes over a child.
        func insert(_ child: Child, at index: Int) {
            links.insert(child.link, at: index)
            leastKeys.insert(child.leastKey, at: index)
        }

        /// Gives up a child.
        func remove(at index: Int) {
            links.remove(at: index).release()
            leastKeys.remove(at: index)
        }

        /// Takes the children from a position on off into a node of their own.
        func split(at position: Int) -> Inner {
            let right = Inner(ContiguousArray(links[position...]), ContiguousArray(leastKeys[position...]))
            links.removeLast(links.count - position)
            leastKeys.removeLast(leastKeys.count - position)
            return right
        }

        /// The child in whose range a key lies: the last whose least key is not greater, or the first.
        func childIndex(for key: Element.Key) -> Int {
            var (low, high) = (1, count)
            while low < high {
                let middle = (low + high) / 2
                if key < leastKeys[middle] { high = middle } else { low = middle + 1 }
            }
            return low - 1
        }

        /// The child that holds the element at an index; the index becomes that in the child.
        func childIndex(at index: inout Int) -> Int {
            var position = 0
            while index >= links[position].count {
                index -= links[position].count
                position += 1
            }
            return position
        }

        /// The number of elements in the children before a position.
        func count(before position: Int) -> Int {
            var sum = 0
            for index in 0..<position { sum += links[index].count }
            return sum
        }
    }

    /// A node known to be a leaf, by its level.
    static func leaf(_ node: Node) -> Leaf { unsafe unsafeDowncast(node, to: Leaf.self) }

    /// A node known to be an inner node, by its level.
    static func inner(_ node: Node) -> Inner { unsafe unsafeDowncast(node, to: Inner.self) }

    /// A new reference to a node.
    static func child(_ node: Node, height: Int) -> Child {
        if height == 0 {
            let elements = leaf(node).elements
            return Child(link: OrderedTreeLink(node, count: elements.count), leastKey: elements[0].orderKey)
        }
        let inner = inner(node)
        let link = OrderedTreeLink(node, count: inner.count(before: inner.count))
        return Child(link: link, leastKey: inner.leastKeys[0])
    }
}

extension ContiguousArray {
    /// A copy with the elements in `range` replaced, made in one pass; room is left for the count to be rounded up to a
    /// multiple of `granularity`.
    func replacing(_ range: Range<Int>, with new: some Collection<Element>, granularity: Int = 1) -> Self {
        spliced(0..<range.lowerBound, new, range.upperBound..<count, granularity: granularity)
    }

    /// The elements of a range, then others, then those of another range, in an array of their own.
    func spliced(_ head: Range<Int>, _ middle: some Collection<Element>, _ tail: Range<Int>, granularity: Int = 1)
        -> Self
    {
        precondition(
            head.lowerBound >= 0 && head.upperBound <= count && tail.lowerBound >= 0 && tail.upperBound <= count)
        let total = head.count + middle.count + tail.count
        let capacity = (total + granularity - 1) / granularity * granularity
        return unsafe withUnsafeBufferPointer { source in
            unsafe ContiguousArray(unsafeUninitializedCapacity: capacity) { target, initialized in
                guard let from = source.baseAddress, var to = target.baseAddress else {
                    initialized = 0
                    return
                }
                unsafe to.initialize(from: from + head.lowerBound, count: head.count)
                unsafe to += head.count
                for element in middle {
                    unsafe to.initialize(to: element)
                    unsafe to += 1
                }
                unsafe to.initialize(from: from + tail.lowerBound, count: tail.count)
                initialized = total
            }
        }
    }
}
