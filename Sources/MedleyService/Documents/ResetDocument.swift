import JSONText
import MedleyCore
import MedleyJSON

/// A reset: the changes that make a snapshot out of nothing, leaf by leaf. It is what `ChangesAnswer` writes of
/// `Snapshot.changesFromNothing()`, without building them.
enum ResetDocument {
    static func make(_ snapshot: Snapshot) -> Document {
        Document(byteCountHint: snapshot.approximateByteCount) { AnyIterator(Parts(snapshot)) }
    }

    private struct Parts: IteratorProtocol {
        private let sections: OrderedSections
        private var sectionIndex = 0
        private var itemIndex = 0
        private var opening: [UInt8]?
        private var closing: [UInt8]?
        /// The next section of those that are inserted before all items, each a part: together they may be long.
        private var insertedIndex = 0

        init(_ snapshot: Snapshot) {
            sections = snapshot.orderedSections
            opening = Self.opening(snapshot.revision, isEmpty: sections.isEmpty)
            closing = Self.closing(snapshot.members, isFirst: sections.isEmpty)
        }

        mutating func next() -> DocumentPart? {
            if let text = opening {
                opening = nil
                return .text(text)
            }
            if insertedIndex < sections.count {
                let section = sections[insertedIndex]
                insertedIndex += 1
                var text: [UInt8] = []
                SectionEncoder.appendOpening(id: section.id, members: section.members, to: &text)
                text.append(UInt8(ascii: "}"))
                if insertedIndex < sections.count {
                    text.append(UInt8(ascii: ","))
                } else {
                    JSONWriter.append(token: "],\"after\":null}", to: &text)
                }
                return .text(text)
            }
            while sectionIndex < sections.count, sections[sectionIndex].count == 0 { sectionIndex += 1 }
            guard sectionIndex < sections.count else {
                defer { closing = nil }
                return closing.map { .text($0) }
            }
            let section = sections[sectionIndex]
            if itemIndex < section.count {
                if itemIndex == 0, !isOpen {
                    isOpen = true
                    return .text(Array(",{\"op\":\"insert\",\"items\":[".utf8))
                }
                let leaf = section.leaf(at: itemIndex)
                itemIndex = leaf.startIndex + leaf.count
                return .leaf(leaf)
            }
            isOpen = false
            itemIndex = 0
            sectionIndex += 1
            var text = Array("],\"section\":".utf8)
            JSONWriter.append(string: section.id.utf8, to: &text)
            JSONWriter.append(token: ",\"after\":null}", to: &text)
            return .text(text)
        }

        /// Whether the change that inserts the section's items has begun.
        private var isOpen = false

        private static func opening(_ revision: Revision, isEmpty: Bool) -> [UInt8] {
            var text = Array("{\"from\":null,\"to\":".utf8)
            JSONWriter.append(string: revision.description, to: &text)
            JSONWriter.append(token: ",\"reset\":true,\"changes\":[", to: &text)
            if !isEmpty { JSONWriter.append(token: "{\"op\":\"insertSection\",\"sections\":[", to: &text) }
            return text
        }

        private static func closing(_ members: JSONMembers, isFirst: Bool) -> [UInt8] {
            var text: [UInt8] = []
            if !members.isEmpty {
                if !isFirst { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(token: "{\"op\":\"updateCollection\",\"set\":{", to: &text)
                text.append(contentsOf: members.bytes)
                JSONWriter.append(token: "}}", to: &text)
            }
            JSONWriter.append(token: "]}", to: &text)
            return text
        }
    }
}
