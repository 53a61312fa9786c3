import JSONText
package import MedleyCore

/// Writes a snapshot with its history as the pieces of a checkpoint, one when asked for it.
///
/// It holds nothing but the snapshot, so a checkpoint of any size is written with the memory of one piece while edits go on.
package struct CheckpointEncoder: IteratorProtocol, Sequence, Sendable {
    private let snapshot: Snapshot
    private let pieceByteCount: Int

    private var kind: CheckpointPiece.Kind? = .collection
    /// How many entries of the kind have been written; of sections, those written whole.
    private var index = 0
    /// How many items of the section at `index` have been written.
    private var itemIndex = 0
    /// Whether the section at `index` itself has been written.
    private var isSectionWritten = false

    /// Creates an encoder of pieces of at most so many bytes and a few more, save for one item that is larger itself.
    package init(_ snapshot: Snapshot, pieceByteCount: Int = 256 << 10) {
        self.snapshot = snapshot
        self.pieceByteCount = pieceByteCount
    }

    /// The next piece; `nil` after the last. O(bytes of the piece).
    package mutating func next() -> CheckpointPiece? {
        while let kind {
            let text = text(of: kind)
            if text == nil || kind == .collection {
                self.kind = kind.next
                index = 0
            }
            if let text { return CheckpointPiece(kind: kind, text: text) }
        }
        return nil
    }

    private mutating func text(of kind: CheckpointPiece.Kind) -> [UInt8]? {
        switch kind {
        case .collection: collection()
        case .members:
            list(snapshot.memberHistory.dropFirst(index)) { member, output in
                Self.append([member.placed, member.changed], to: &output)
                output.append(UInt8(ascii: "{"))
                output.append(contentsOf: member.nameText)
                output.append(UInt8(ascii: ":"))
                output.append(contentsOf: member.value)
                output.append(UInt8(ascii: "}"))
            }
        case .removedMembers:
            list(snapshot.memberRemovals.dropFirst(index)) { removal, output in
                Self.append([removal.revision], to: &output)
                output.append(contentsOf: removal.nameText)
            }
        case .sections: sections()
        case .deletedItems:
            list(snapshot.itemDeletions(from: index)) { deletion, output in
                Self.append([deletion.created, deletion.deleted], to: &output)
                JSONWriter.append(string: deletion.id.utf8, to: &output)
            }
        case .deletedSections:
            list(snapshot.sectionDeletions(from: index)) { deletion, output in
                Self.append([deletion.created, deletion.deleted], to: &output)
                JSONWriter.append(string: deletion.id.utf8, to: &output)
            }
        }
    }

    private func collection() -> [UInt8] {
        var output: [UInt8] = []
        JSONWriter.append(token: "{\"format\":1,\"lineage\":", to: &output)
        JSONWriter.append(string: snapshot.revision.lineage, to: &output)
        JSONWriter.append(token: ",\"number\":", to: &output)
        JSONWriter.append(integer: snapshot.revision.number, to: &output)
        JSONWriter.append(token: ",\"floor\":", to: &output)
        JSONWriter.append(integer: snapshot.oldestKnownNumber, to: &output)
        JSONWriter.append(token: ",\"counts\":", to: &output)
        CheckpointCounts(of: snapshot).append(to: &output)
        output.append(UInt8(ascii: "}"))
        return output
    }

    /// As many entries as fit into a piece, at least one; `nil` if there are none.
    private mutating func list<Entry>(
        _ entries: some Sequence<Entry>, _ append: (Entry, inout [UInt8]) -> Void
    ) -> [UInt8]? {
        var output: [UInt8] = [UInt8(ascii: "[")]
        for entry in entries {
            let end = output.count
            if end > 1 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "["))
            append(entry, &output)
            output.append(UInt8(ascii: "]"))
            if end > 1, output.count > pieceByteCount {
                output.removeSubrange(end...)
                break
            }
            index += 1
        }
        guard output.count > 1 else { return nil }
        output.append(UInt8(ascii: "]"))
        return output
    }

    /// As many sections and items as fit into a piece, at least one; `nil` if there are none left.
    private mutating func sections() -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(pieceByteCount + 512)
        var isFull = false
        while !isFull, let section = snapshot.section(at: index) {
            let end = output.count
            output.append(UInt8(ascii: end == 0 ? "[" : ","))
            if isSectionWritten {
                JSONWriter.append(token: "{\"items\":[", to: &output)
            } else {
                JSONWriter.append(token: "{\"section\":[", to: &output)
                Self.append(section.stamps, to: &output)
                SectionEncoder.append(section.content, to: &output)
                JSONWriter.append(token: "],\"items\":[", to: &output)
                if end > 0, output.count > pieceByteCount {
                    output.removeSubrange(end...)
                    break
                }
            }
            isFull = !appendItems(of: section, mustTakeOne: end == 0 && isSectionWritten, to: &output)
            isSectionWritten = isFull
            JSONWriter.append(token: "]}", to: &output)
            if !isFull { (index, itemIndex) = (index + 1, 0) }
        }
        guard !output.isEmpty else { return nil }
        output.append(UInt8(ascii: "]"))
        return output
    }

    /// Appends the items of a section that are not written yet, as far as they fit; whether these were all.
    private mutating func appendItems(of section: Section, mustTakeOne: Bool, to output: inout [UInt8]) -> Bool {
        var isFirst = true
        for item in section.items(from: itemIndex) {
            let end = output.count
            if !isFirst { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "["))
            Self.append(item.stamps, to: &output)
            ItemEncoder.append(item, to: &output)
            output.append(UInt8(ascii: "]"))
            if output.count > pieceByteCount, !(isFirst && mustTakeOne) {
                output.removeSubrange(end...)
                return false
            }
            isFirst = false
            itemIndex += 1
        }
        return true
    }

    private static func append(_ stamps: Stamps, to output: inout [UInt8]) {
        append([stamps.created, stamps.placed, stamps.changed], to: &output)
    }

    /// Appends numbers, a comma behind each.
    private static func append(_ numbers: some Sequence<UInt64>, to output: inout [UInt8]) {
        for number in numbers {
            JSONWriter.append(integer: number, to: &output)
            output.append(UInt8(ascii: ","))
        }
    }
}

extension CheckpointPiece.Kind {
    /// The kind that stands behind this one.
    fileprivate var next: CheckpointPiece.Kind? {
        let all = Self.allCases
        return all.firstIndex(of: self).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    }
}
