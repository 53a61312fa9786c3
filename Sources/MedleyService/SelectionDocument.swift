import JSONText
import MedleyCore

/// A snapshot with filters, without models or in pages, and the flat lists of items: item by item.
enum SelectionDocument {
    /// A page of a snapshot, or all of it.
    static func sections(
        _ snapshot: Snapshot, collection: String, page: Page, filter: ItemFilter, hasModels: Bool, next: String?
    ) -> Document {
        Document {
            let sections = Array(snapshot.orderedSections.prefix(page.lastSection + 1))
            let parts = SectionParts(
                opening: SnapshotDocument.opening(snapshot, collection: collection), sections: sections, page: page,
                filter: filter, hasModels: hasModels, next: next)
            return AnyIterator(parts)
        }
    }

    /// Items that pass the filter as a list, between two texts.
    static func list(_ snapshot: Snapshot, opening: [UInt8], filter: ItemFilter, closing: [UInt8]) -> Document {
        Document { AnyIterator(ListParts(snapshot, opening: opening, filter: filter, closing: closing)) }
    }

    private struct SectionParts: IteratorProtocol {
        private let hasModels: Bool
        private let nextCursor: String?
        private var walk: ItemWalk
        private var left: Int
        private var text: [UInt8]
        private var isFirstSection = true
        private var isAtEnd = false

        init(
            opening: [UInt8], sections: [Section], page: Page, filter: ItemFilter, hasModels: Bool, next: String?
        ) {
            text = opening
            walk = ItemWalk(sections, from: page.start, filter: filter)
            left = page.itemCount
            self.hasModels = hasModels
            nextCursor = next
        }

        mutating func next() -> DocumentPart? {
            if isAtEnd { return nil }
            while text.count < Document.partSize {
                guard let step = walk.next() else {
                    isAtEnd = true
                    text.append(UInt8(ascii: "]"))
                    if let nextCursor {
                        JSONWriter.append(token: ",\"next\":", to: &text)
                        JSONWriter.append(string: nextCursor, to: &text)
                    }
                    text.append(UInt8(ascii: "}"))
                    return .text(text)
                }
                append(step)
            }
            let part = text
            text = []
            return .text(part)
        }

        private mutating func append(_ step: ItemWalk.Step) {
            switch step {
            case .begin(let section):
                SnapshotDocument.appendOpening(of: section, isFirst: isFirstSection, to: &text)
                isFirstSection = false
            case .item(let item, _, let isFirst):
                // What the last section has beyond the page is the next page's.
                guard left > 0 else {
                    walk.leaveSection()
                    return
                }
                left -= 1
                if !isFirst { text.append(UInt8(ascii: ",")) }
                hasModels ? item.appendJSON(to: &text) : item.appendReference(to: &text)
            case .end: JSONWriter.append(token: "]}", to: &text)
            }
        }
    }

    private struct ListParts: IteratorProtocol {
        private var walk: ItemWalk
        private var text: [UInt8]
        private var closing: [UInt8]?
        private var isFirst = true

        init(_ snapshot: Snapshot, opening: [UInt8], filter: ItemFilter, closing: [UInt8]) {
            walk = ItemWalk(snapshot.orderedSections, filter: filter)
            text = opening
            self.closing = closing
        }

        mutating func next() -> DocumentPart? {
            guard let closing else { return nil }
            while text.count < Document.partSize {
                guard let step = walk.next() else {
                    self.closing = nil
                    text.append(contentsOf: closing)
                    return .text(text)
                }
                guard case .item(let item, _, _) = step else { continue }
                if !isFirst { text.append(UInt8(ascii: ",")) }
                isFirst = false
                item.appendJSON(to: &text)
            }
            let part = text
            text = []
            return .text(part)
        }
    }
}
