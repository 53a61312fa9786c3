/// What an `OrderedTree` holds: a value that knows where it belongs.
protocol OrderedTreeElement: Sendable {
    associatedtype Key: Comparable & Sendable

    /// The key; no two elements of a tree have the same, and it never changes while the element is in a tree.
    var orderKey: Key { get }
}
