import MedleyCore
import MedleyFormats

/// A snapshot in another form than JSON, piece by piece.
enum ExportDocument {
    /// The document. `memberNames` are those of a table's columns.
    static func make(
        _ snapshot: Snapshot, format: MediaFormat, address: String?, filter: ItemFilter, memberNames: [[UInt8]]?
    ) -> Document {
        Document(byteCountHint: filter.isEmpty ? snapshot.approximateByteCount : nil, hasBlocks: false) {
            let export = CollectionExport(
                snapshot, format: format, address: address, filter: filter.exported, memberNames: memberNames)
            return AnyIterator(Parts(export: export))
        }
    }

    private struct Parts: IteratorProtocol {
        var export: CollectionExport?
        private var madeInTurn = 0

        init(export: CollectionExport?) { self.export = export }

        /// The most items and sections that are looked at in one turn of a loop.
        private static let mostLookedAt = 4_096
        /// About how many bytes are made in one turn of a loop: writing them costs more than sending what is there.
        private static let turnSize = 64 << 10

        mutating func next() -> DocumentPart? {
            guard let text = export?.next(size: Document.partSize, mostLookedAt: Self.mostLookedAt) else { return nil }
            if export?.isAtEnd ?? true { return .text(text) }
            madeInTurn += text.count
            // Shorter than asked for: so many items were looked at.
            guard text.count < Document.partSize || madeInTurn >= Self.turnSize else { return .text(text) }
            madeInTurn = 0
            return .lastOfTurn(text)
        }
    }
}
