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
        #expect(export.isAtEnd && export.itemsDone == snapshot.itemCount)
        #expect(CollectionExport(snapshot, format: .jsonArray) == nil)
    }

    /// A filter leaves what is written of the rest alone, and no call looks at more items than it may.
    @Test(arguments: MediaFormat.allCases.filter { $0.makeWriter() != nil }, [1, 3, 1_000])
    func exportsWhatPassesTurnByTurn(format: MediaFormat, mostLookedAt: Int) throws {
        var random = SeededRandom()
        var collection = GeneratedCollection(&random)
        let content = SnapshotContent(
            members: collection.head,
            sections: collection.sections.map { .init(content: $0.content, items: $0.items) })
        let snapshot = try Snapshot(lineage: "a", content: content)
        let filter = ExportFilter(section: { $0 != SectionID("v") }, item: { $0.liked })
        var export = try #require(CollectionExport(snapshot, format: format, filter: filter))
        var bytes: [UInt8] = []
        var calls = 0
        while let piece = export.next(mostLookedAt: mostLookedAt) {
            bytes += piece
            calls += 1
        }
        let looked = snapshot.orderedSections.dropFirst().reduce(0) { $0 + $1.count }
        #expect(calls >= looked / mostLookedAt, "\(random.note)")
        #expect(export.itemsDone == looked)
        collection.sections.removeFirst()
        var names = MemberNameList()
        for section in collection.sections { for item in section.items { names.add(item.model) } }
        for index in collection.sections.indices { collection.sections[index].items.removeAll { $0.liked != true } }
        #expect(bytes == collection.written(format, names: names), "\(random.note)")
    }

    @Test func takesTheColumnsThatItIsTold() throws {
        let content = SnapshotContent(
            members: CollectionWriterTests.members(#""title":"x""#),
            sections: [
                .init(
                    content: SectionContent(id: "s", members: CollectionWriterTests.members(#""title":"S""#)),
                    items: [
                        CollectionWriterTests.item("1", "music", false, #""year":1959,"title":"Naima""#)
                    ])
            ])
        let snapshot = try Snapshot(lineage: "a", content: content)
        let names = ["title", "none"].map { Array($0.utf8) }
        var export = try #require(CollectionExport(snapshot, format: .csv, memberNames: names))
        let text = export.next().map { String(decoding: $0, as: UTF8.self) }
        #expect(text == "id,type,liked,section,sectionTitle,title,none\r\n1,music,false,s,S,Naima,\r\n")
    }
}
