import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct CollectionExportTests {
    /// The pieces of an export are what a writer makes in one go, whatever their size.
    @Test(arguments: MediaFormat.allCases.filter { $0.makeWriter() != nil }, [1, 100, 1 << 16])
    func exportsASnapshotInPieces(format: MediaFormat, size: Int) throws {
        var random = SeededRandom()
        var collection = GeneratedCollection(&random)
        collection.sections.append(
            .init(
                content: SectionContent(id: "empty", members: CollectionWriterTests.members(#""title":"""#)), items: [])
        )
        let content = SnapshotContent(
            members: collection.head,
            sections: collection.sections.map { .init(content: $0.content, items: $0.items) })
        let snapshot = try Snapshot(lineage: "a", content: content)
        var export = try #require(CollectionExport(snapshot, format: format))
        var bytes: [UInt8] = []
        while let piece = export.next(size: size) {
            #expect(!piece.isEmpty)
            bytes += piece
        }
        #expect(export.next() == nil)
        #expect(bytes == collection.written(format), "\(random.note)")
        #expect(CollectionExport(snapshot, format: .jsonArray) == nil)
    }
}
