/// Elements in the order of their keys, with access by index, as a value: copies share structure, and a change costs a
/// path from the root.
///
/// It is a counted B+tree: leaves hold runs of elements and nothing else (a key is read from its element), inner nodes
/// the size and the least key of each child. What only this tree refers to is changed in place. Every node but those
/// at the right edge is at least a quarter full; appending leaves full nodes behind.
// SAFETY: nodes are changed only while a single tree refers to them, which has exclusive access; elements are Sendable,
// and a leaf's attachment is guarded by a mutex.
struct OrderedTree<Element: OrderedTreeElement>: @unchecked Sendable {
    /// The most elements that a leaf holds: of eight bytes each, as many as glibc still serves from a thread's cache.
    static var leafCapacity: Int { 120 }
    /// The most children that an inner node has.
    static var fanOut: Int { 32 }

    var root: Node?
    /// The number of levels of inner nodes.
    var height: Int

    /// The number of elements. O(1).
    var count: Int

    /// An empty tree. O(1), without allocation.
    init() {
        root = nil
        height = 0
        count = 0
    }

    /// Whether there are no elements. O(1).
    var isEmpty: Bool { count == 0 }
}
