import JSONText
import MedleyCore
import MedleyFormats
import Testing

/// What was exported comes in as what is there, whatever the format does to the order of members.
@Suite struct ReimportTests {
    typealias Placed = GeneratedCollection.Placed

    @Test(arguments: [MediaFormat.snapshot, .jsonLines, .jspf, .m3u, .xspf])
    func anExportImportedAgainChangesNothing(format: MediaFormat) throws {
        var random = SeededRandom()
        var compared = 0
        for _ in 0..<60 {
            var collection = GeneratedCollection(&random)
            // A line's own `section` is renamed; `RoundTripTests` say so.
            if format == .jsonLines { collection.removeMember("section") }
            guard let first = try Self.snapshot(of: collection) else { continue }
            compared += 1
            var bytes: [UInt8] = []
            var export = try #require(CollectionExport(first, format: format, address: ""))
            while let piece = export.next() { bytes += piece }
            let name = "x.\(format.fileExtensions[0])"
            for asOutline in [false, true] {
                let again = try ImportPlanTests.imported(bytes, name, into: first, asOutline: asOutline)
                let note = "\(random.note), \(again.changes), \(String(decoding: bytes, as: UTF8.self))"
                if format == .xspf {
                    Self.expectWhatXSPFHolds(first, again, note)
                } else {
                    #expect(again.changes.isEmpty, "\(note)")
                }
            }
        }
        #expect(compared >= 40, "\(random.note)")
    }

    /// A collection as a service would hold it; `nil` if there is nothing to export.
    private static func snapshot(of collection: GeneratedCollection) throws -> Snapshot? {
        guard collection.sections.contains(where: { !$0.items.isEmpty }) else { return nil }
        let first = try ImportPlanTests.imported(collection.written(.snapshot), "x.json")
        #expect(first.summary.refused == 0)
        return first.snapshot
    }

    /// U+FFFE becomes an escape, which is other bytes of the same text; what the playlist says of itself is plain text.
    private static func expectWhatXSPFHolds(
        _ first: Snapshot, _ again: ImportPlanTests.Outcome, _ note: String
    ) {
        for change in again.changes {
            switch change.operation {
            case .update(let items):
                for item in items {
                    #expect(first.item(item.id)?.model.bytes.hasNonCharacter == true, "\(note)")
                }
            case .updateCollection: break
            default: Issue.record("\(note)")
            }
        }
        #expect(placed(again.snapshot) == placed(first), "\(note)")
        var head = Placed.dictionary(first.members)
        if let creator = first.members.string(of: "creator").map({ Array($0) }) {
            let held = heldByElement(creator)
            if !held.isEmpty { head[Array("creator".utf8)] = json(held) }
        }
        #expect(Placed.dictionary(again.snapshot.members) == head, "\(note)")
    }

    /// The items in place, U+FFFE as its escape.
    private static func placed(_ snapshot: Snapshot) -> [Placed] {
        snapshot.orderedSections.flatMap { section in
            section.items().map { item in
                var placed = Placed(item.content, in: section.content)
                placed.members = placed.members.mapValues(\.withEscapes)
                return placed
            }
        }
    }

    /// What a reader takes out of an element with a text: no control characters, no white space at its ends.
    private static func heldByElement(_ text: [UInt8]) -> [UInt8] {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars.filter {
            ($0.value >= 0x20 || [0x09, 0x0A, 0x0D].contains($0.value)) && $0 != "\u{FFFE}"
        }
        var held = Array(String(String.UnicodeScalarView(scalars)).utf8)[...]
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        while let first = held.first, isSpace(first) { held.removeFirst() }
        while let last = held.last, isSpace(last) { held.removeLast() }
        return Array(held)
    }

    private static func json(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        JSONWriter.append(string: text, to: &output)
        return output
    }
}

extension GeneratedCollection {
    /// Takes a member away from every item.
    fileprivate mutating func removeMember(_ name: String) {
        for section in sections.indices {
            for index in sections[section].items.indices {
                var rest = JSONMembers.empty
                for member in sections[section].items[index].model where !member.name.equals(name) {
                    rest.append(nameText: member.name.text, value: member.value)
                }
                sections[section].items[index].model = rest
            }
        }
    }
}

extension [UInt8] {
    /// Whether U+FFFE stands in a text.
    fileprivate var hasNonCharacter: Bool { withEscapes != self }

    /// The text with JSON's escape for U+FFFE.
    fileprivate var withEscapes: [UInt8] {
        Array(String(decoding: self, as: UTF8.self).replacing("\u{FFFE}", with: "\\ufffe").utf8)
    }
}
