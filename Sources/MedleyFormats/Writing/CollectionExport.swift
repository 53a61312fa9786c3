public import MedleyCore

/// A snapshot in a format, piece by piece: no piece is larger than what was asked for and one item.
///
/// A value that holds the snapshot, so edits made meanwhile are not seen. Not for two threads at once.
public struct CollectionExport {
    private let snapshot: Snapshot
    private let sections: [Section]
    private let address: String?
    private let filter: ExportFilter
    private let needsMemberNames: Bool
    private let knownMemberNames: [[UInt8]]?
    private var writer: any CollectionWriter
    private var state = State.start

    /// How many items were looked at so far, of `Snapshot.itemCount` if no section is left out.
    public private(set) var itemsDone = 0

    /// Whether all is written.
    public var isAtEnd: Bool { state == .end }

    private enum State: Equatable {
        case start
        case items(section: Int, from: Int)
        case end
    }

    /// Starts an export; `nil` if the format cannot be written. O(sections).
    ///
    /// - Parameters:
    ///   - address: the absolute URL under which the collection is found, for a feed.
    ///   - filter: what of the snapshot is written.
    ///   - memberNames: the names that a table's columns are made of, if they are known; else the first piece looks at
    ///     all items of the sections that pass.
    public init?(
        _ snapshot: Snapshot, format: MediaFormat, address: String? = nil, filter: ExportFilter = ExportFilter(),
        memberNames: [[UInt8]]? = nil
    ) {
        guard let writer = format.makeWriter() else { return nil }
        self.snapshot = snapshot
        self.writer = writer
        self.address = address
        self.filter = filter
        sections = Array(snapshot.orderedSections)
        needsMemberNames = format.needsMemberNames
        knownMemberNames = memberNames
    }

    /// The next piece, `size` bytes or a little more; `nil` after the last. O(bytes), and O(log n) for each call.
    ///
    /// It is shorter, even empty, only if so many items and sections were looked at as `mostLookedAt` says.
    public mutating func next(size: Int = 1 << 16, mostLookedAt: Int = .max) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(size + 1024)
        var left = mostLookedAt
        while output.count < size, left > 0, state != .end { step(&output, size, &left) }
        return output.isEmpty && state == .end ? nil : output
    }

    private mutating func step(_ output: inout [UInt8], _ size: Int, _ left: inout Int) {
        switch state {
        case .start:
            var head = CollectionHead(members: snapshot.members, address: address)
            if needsMemberNames { head.memberNames = knownMemberNames ?? memberNames() }
            writer.begin(head, to: &output)
            state = .items(section: 0, from: 0)
        case .items(let index, let start):
            guard index < sections.count else {
                writer.end(to: &output)
                state = .end
                return
            }
            left -= 1
            guard filter.admits(sections[index]) else {
                state = .items(section: index + 1, from: 0)
                return
            }
            if start == 0 { writer.begin(sections[index].content, to: &output) }
            var next = start
            for item in sections[index].items(from: start) {
                if filter.admits(item) { writer.append(item.content, to: &output) }
                next += 1
                left -= 1
                if output.count >= size || left <= 0 { break }
            }
            itemsDone += next - start
            state =
                next < sections[index].count ? .items(section: index, from: next) : .items(section: index + 1, from: 0)
        case .end: break
        }
    }

    /// The names of all members, in the order in which they first occur; known ones first.
    private func memberNames() -> [[UInt8]] {
        var names = MemberNameList()
        for section in sections where filter.admits(section) {
            for item in section.items() { names.add(item.model) }
        }
        return names.names
    }
}
