public import MedleyCore

/// A snapshot in a format, piece by piece: no piece is larger than what was asked for and one item.
///
/// A value that holds the snapshot, so edits made meanwhile are not seen. Not for two threads at once.
public struct CollectionExport {
    private let snapshot: Snapshot
    private let sections: [Section]
    private let address: String?
    private let needsMemberNames: Bool
    private var writer: any CollectionWriter
    private var state = State.start

    private enum State: Equatable {
        case start
        case items(section: Int, from: Int)
        case end
    }

    /// Starts an export; `nil` if the format cannot be written. O(sections).
    ///
    /// `address` is the absolute URL under which the collection is found, for a feed.
    public init?(_ snapshot: Snapshot, format: MediaFormat, address: String? = nil) {
        guard let writer = format.makeWriter() else { return nil }
        self.snapshot = snapshot
        self.writer = writer
        self.address = address
        sections = Array(snapshot.orderedSections)
        needsMemberNames = format.needsMemberNames
    }

    /// The next piece, `size` bytes or a little more; `nil` after the last. O(bytes), and O(log n) for each call; the
    /// first piece of a table looks at all items, since it names the columns.
    public mutating func next(size: Int = 1 << 16) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(size + 1024)
        while output.count < size, state != .end { step(&output, size) }
        return output.isEmpty ? nil : output
    }

    private mutating func step(_ output: inout [UInt8], _ size: Int) {
        switch state {
        case .start:
            var head = CollectionHead(members: snapshot.members, address: address)
            if needsMemberNames { head.memberNames = memberNames() }
            writer.begin(head, to: &output)
            state = .items(section: 0, from: 0)
        case .items(let index, let start):
            guard index < sections.count else {
                writer.end(to: &output)
                state = .end
                return
            }
            if start == 0 { writer.begin(sections[index].content, to: &output) }
            var next = start
            for item in sections[index].items(from: start) {
                writer.append(item.content, to: &output)
                next += 1
                if output.count >= size { break }
            }
            state =
                next < sections[index].count ? .items(section: index, from: next) : .items(section: index + 1, from: 0)
        case .end: break
        }
    }

    /// The names of all members, in the order in which they first occur; known ones first.
    private func memberNames() -> [[UInt8]] {
        var names = MemberNameList()
        for section in sections {
            for item in section.items() { names.add(item.model) }
        }
        return names.names
    }
}
