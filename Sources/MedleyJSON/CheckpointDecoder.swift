package import MedleyCore

/// Brings a snapshot back out of the pieces of a checkpoint, in two steps: `decode` reads a piece by itself, on any thread;
/// `add` puts what it read together, in the order of the pieces, and is quick.
package struct CheckpointDecoder: Sendable {
    private var restorer: SnapshotRestorer?
    private var expected = CheckpointCounts()
    private var counts = CheckpointCounts()

    /// Creates a decoder that has seen nothing yet.
    package init() {}

    /// Reads a piece. Pure: pieces may be read in any order and at once. O(bytes).
    ///
    /// - Throws: `CheckpointError` with the place of what is no JSON or not of the kind's form.
    package static func decode(
        _ kind: CheckpointPiece.Kind, _ text: [UInt8]
    ) throws(CheckpointError) -> DecodedPiece {
        try CheckpointReader.read(kind, text)
    }

    /// Adds the next piece. O(1) expected for each item.
    ///
    /// - Throws: `CheckpointError` if the piece does not follow those before it or holds what no snapshot can; the decoder
    ///   is then to be dropped.
    package mutating func add(_ piece: DecodedPiece) throws(CheckpointError) {
        do throws(RestoreError) {
            if case .collection = piece.content {
                if restorer != nil { throw RestoreError("the checkpoint begins twice") }
            } else if restorer == nil {
                throw RestoreError("the checkpoint does not begin with what the collection is")
            }
            switch piece.content {
            case .collection(let head):
                // The room that is made ahead is bounded, whatever a damaged text says.
                restorer = try SnapshotRestorer(
                    revision: head.revision, floor: head.floor, itemCount: min(head.counts.items, 1 << 20))
                expected = head.counts
            case .members(let members):
                for member in members { try restorer?.addMember(member) }
                counts.members += members.count
            case .removedMembers(let removals):
                for removal in removals { try restorer?.addMemberRemoval(removal) }
                counts.removedMembers += removals.count
            case .sections(let runs):
                for run in runs { try add(run) }
            case .deletedItems(let deletions):
                for deletion in deletions {
                    try restorer?.addDeletion(
                        of: ItemID(utf8: deletion.id), created: deletion.created, deleted: deletion.deleted)
                }
                counts.deletedItems += deletions.count
            case .deletedSections(let deletions):
                for deletion in deletions {
                    try restorer?.addDeletion(
                        of: SectionID(utf8: deletion.id), created: deletion.created, deleted: deletion.deleted)
                }
                counts.deletedSections += deletions.count
            }
        } catch {
            throw CheckpointError(error)
        }
    }

    private mutating func add(_ run: DecodedPiece.Run) throws(RestoreError) {
        if let section = run.section {
            try restorer?.addSection(section.content, section.stamps)
            counts.sections += 1
        }
        for item in run.items { try restorer?.addItem(item) }
        counts.items += run.items.count
    }

    /// The snapshot. O(n log n) for n items.
    ///
    /// - Throws: `CheckpointError` if pieces are missing or what they hold together is no snapshot.
    package consuming func finish() throws(CheckpointError) -> Snapshot {
        guard let restorer else { throw CheckpointError("the checkpoint has no beginning") }
        for (name, path) in CheckpointCounts.names where counts[keyPath: path] != expected[keyPath: path] {
            throw CheckpointError(
                "the checkpoint says that it has \(expected[keyPath: path]) \(name), but \(counts[keyPath: path]) came")
        }
        do throws(RestoreError) { return try restorer.finish() } catch { throw CheckpointError(error) }
    }
}
