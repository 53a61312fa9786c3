import JSONText
import MedleyCore
import MedleyJSON

/// The plain snapshot: everything, leaf by leaf.
enum SnapshotDocument {
    static func make(_ snapshot: Snapshot, collection: String) -> Document {
        Document(byteCountHint: snapshot.approximateByteCount) {
            AnyIterator(Parts(snapshot: snapshot, collection: collection))
        }
    }

    /// What stands before the sections.
    static func opening(_ snapshot: Snapshot, collection: String) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.append(token: "{\"id\":", to: &text)
        JSONWriter.append(string: collection, to: &text)
        if !snapshot.members.isEmpty {
            text.append(UInt8(ascii: ","))
            text.append(contentsOf: snapshot.members.bytes)
        }
        JSONWriter.append(token: ",\"revision\":", to: &text)
        JSONWriter.append(string: snapshot.revision.description, to: &text)
        JSONWriter.append(token: ",\"counts\":", to: &text)
        appendCounts(of: snapshot, to: &text)
        JSONWriter.append(token: ",\"types\":{", to: &text)
        for (position, store) in snapshot.stores.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(string: store.type.name, to: &text)
            text.append(UInt8(ascii: ":"))
            JSONWriter.append(integer: store.count, to: &text)
        }
        JSONWriter.append(token: "},\"sections\":[", to: &text)
        return text
    }

    static func appendCounts(of snapshot: Snapshot, to text: inout [UInt8]) {
        JSONWriter.append(token: "{\"sections\":", to: &text)
        JSONWriter.append(integer: snapshot.sectionCount, to: &text)
        JSONWriter.append(token: ",\"items\":", to: &text)
        JSONWriter.append(integer: snapshot.itemCount, to: &text)
        text.append(UInt8(ascii: "}"))
    }

    /// Appends what stands before a section's items.
    static func appendOpening(of section: Section, isFirst: Bool, to text: inout [UInt8]) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        SectionEncoder.appendOpening(id: section.id, members: section.members, to: &text)
        JSONWriter.append(token: ",\"items\":[", to: &text)
    }

    private struct Parts: IteratorProtocol {
        private let sections: OrderedSections
        private var sectionIndex = 0
        /// The index of the next item in the section; `nil` before the section's opening.
        private var itemIndex: Int?
        private var opening: [UInt8]?
        private var isAtEnd = false

        init(snapshot: Snapshot, collection: String) {
            sections = snapshot.orderedSections
            opening = SnapshotDocument.opening(snapshot, collection: collection)
        }

        mutating func next() -> DocumentPart? {
            if isAtEnd { return nil }
            if let text = opening {
                opening = nil
                return .text(text)
            }
            guard sectionIndex < sections.count else {
                isAtEnd = true
                return .text(Array("]}".utf8))
            }
            let section = sections[sectionIndex]
            guard let index = itemIndex else {
                itemIndex = 0
                var text: [UInt8] = []
                SnapshotDocument.appendOpening(of: section, isFirst: sectionIndex == 0, to: &text)
                return .text(text)
            }
            guard index < section.count else {
                itemIndex = nil
                sectionIndex += 1
                return .text(Array("]}".utf8))
            }
            let leaf = section.leaf(at: index)
            itemIndex = leaf.startIndex + leaf.count
            return .leaf(leaf)
        }
    }
}
