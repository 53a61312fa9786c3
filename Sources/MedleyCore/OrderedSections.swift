/// The sections of a snapshot in order. It takes one word for each, so that many readers can hold theirs.
public struct OrderedSections: RandomAccessCollection, Sendable {
    private let snapshot: Snapshot
    private let nodes: [SectionNode]

    init(snapshot: Snapshot, nodes: [SectionNode]) {
        self.snapshot = snapshot
        self.nodes = nodes
    }

    /// The index of the first section: 0.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { nodes.count }

    /// The first so many sections, all if there are fewer.
    public func first(_ count: Int) -> OrderedSections {
        OrderedSections(snapshot: snapshot, nodes: Array(nodes.prefix(count)))
    }

    /// The section at an index. O(1).
    public subscript(index: Int) -> Section { Section(snapshot: snapshot, node: nodes[index]) }
}
