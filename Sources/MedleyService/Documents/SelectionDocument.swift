import JSONText
import MedleyCore
import MedleyJSON

/// A snapshot with filters, without models or in pages, and the flat lists of items: item by item.
enum SelectionDocument {
    /// A page of a snapshot, or all of it.
    static func sections(
        _ snapshot: Snapshot, collection: String, page: Page, filter: ItemFilter, hasModels: Bool, next: String?
    ) -> Document {
        Document {
            let sections = snapshot.orderedSections.first(page.lastSection + 1)
            let parts = SectionParts(
                opening: SnapshotDocument.opening(snapshot, collection: collection), sections: sections, page: page,
                filter: filter, hasModels: hasModels, next: next)
            return AnyIterator(parts)
        }
    }

    /// Items that pass the filter, at most so many, as a list between two texts.
    static func list(
        _ snapshot: Snapshot, opening: [UInt8], filter: ItemFilter, most: Int = .max, closing: [UInt8]
    ) -> Document {
        Document {
            AnyIterator(ListParts(snapshot, opening: opening, filter: filter, most: most, closing: closing))
        }
    }

    private struct SectionParts: IteratorProtocol {
        private let hasModels: Bool
        private let nextCursor: String?
        private var walk: ItemWalk
        private var text: TurnText
        private var isFirstSection = true
        private var isAtEnd = false

        init(
            opening: [UInt8], sections: OrderedSections, page: Page, filter: ItemFilter, hasModels: Bool, next: String?
        ) {
            text = TurnText(opening)
            walk = ItemWalk(sections, from: page.start, before: page.next, filter: filter)
            self.hasModels = hasModels
            nextCursor = next
        }

        mutating func next() -> DocumentPart? {
            if isAtEnd { return nil }
            while let step = walk.next() {
                append(step)
                if let part = text.partAfterStep() { return part }
            }
            isAtEnd = true
            appendClosing()
            return .text(text.take())
        }

        private mutating func append(_ step: ItemWalk.Step) {
            switch step {
            case .begin(let section):
                SnapshotDocument.appendOpening(of: section, isFirst: isFirstSection, to: &text.bytes)
                isFirstSection = false
            case .item(let item, _, let isFirst):
                if !isFirst { text.bytes.append(UInt8(ascii: ",")) }
                if hasModels {
                    ItemEncoder.append(item, to: &text.bytes)
                } else {
                    ItemEncoder.append(referenceTo: item, to: &text.bytes)
                }
            case .miss: break
            case .end: JSONWriter.append(token: "]}", to: &text.bytes)
            }
        }

        private mutating func appendClosing() {
            text.bytes.append(UInt8(ascii: "]"))
            if let nextCursor {
                JSONWriter.append(token: ",\"next\":", to: &text.bytes)
                JSONWriter.append(string: nextCursor, to: &text.bytes)
            }
            text.bytes.append(UInt8(ascii: "}"))
        }
    }

    private struct ListParts: IteratorProtocol {
        private var walk: ItemWalk
        private var left: Int
        private var text: TurnText
        private var closing: [UInt8]?
        private var isFirst = true

        init(_ snapshot: Snapshot, opening: [UInt8], filter: ItemFilter, most: Int, closing: [UInt8]) {
            walk = ItemWalk(snapshot.orderedSections, filter: filter)
            left = most
            text = TurnText(opening)
            self.closing = closing
        }

        mutating func next() -> DocumentPart? {
            guard let closing else { return nil }
            while left > 0, let step = walk.next() {
                if case .item(let item, _, _) = step {
                    if !isFirst { text.bytes.append(UInt8(ascii: ",")) }
                    isFirst = false
                    left -= 1
                    ItemEncoder.append(item, to: &text.bytes)
                }
                if let part = text.partAfterStep() { return part }
            }
            self.closing = nil
            text.bytes.append(contentsOf: closing)
            return .text(text.take())
        }
    }
}
