import HTTPCore
import JSONText
import MedleyCore
import MedleyJSON

/// `GET /v1/collections/{collection}/items`: models, in the collection's order or as asked.
enum ItemsResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let snapshot = try call.snapshot()
        let filter = try ItemFilter(call.query)
        let asked = try call.query.list("ids").map { $0.map { ItemID($0) } }
        let most = call.service.configuration.limits.queryIDs
        if let asked, asked.count > most {
            throw Query.invalid("A query asks for at most \(most) ids.").with("limit", most)
        }
        if let asked, Set(asked).count < asked.count { throw Query.invalid("An id stands twice in \"ids\".") }
        return call.answer(snapshot.revision, form: call.form("items")) {
            let opening = opening(snapshot)
            if let asked {
                return Document { AnyIterator(AskedParts(asked, snapshot, filter, opening: opening)) }
            }
            return SelectionDocument.list(snapshot, opening: opening, filter: filter, closing: Array("]}".utf8))
        }
    }

    private static func opening(_ snapshot: Snapshot) -> [UInt8] {
        var text = Array("{\"revision\":".utf8)
        JSONWriter.append(string: snapshot.revision.description, to: &text)
        JSONWriter.append(token: ",\"items\":[", to: &text)
        return text
    }

    /// The asked items, then those that do not exist. Each model is copied only when the client takes it: together they
    /// may be a thousand times as long as the question.
    private struct AskedParts: IteratorProtocol {
        private let asked: [ItemID]
        private let snapshot: Snapshot
        private let filter: ItemFilter
        private var text: TurnText
        private var index = 0
        private var isFirst = true
        private var missing: [ItemID] = []
        private var isAtEnd = false

        init(_ asked: [ItemID], _ snapshot: Snapshot, _ filter: ItemFilter, opening: [UInt8]) {
            self.asked = asked
            self.snapshot = snapshot
            self.filter = filter
            text = TurnText(opening)
        }

        mutating func next() -> DocumentPart? {
            if isAtEnd { return nil }
            while index < asked.count {
                let id = asked[index]
                index += 1
                if let item = snapshot.item(id) { append(item) } else { missing.append(id) }
                if let part = text.partAfterStep() { return part }
            }
            isAtEnd = true
            JSONWriter.append(token: "],\"missing\":[", to: &text.bytes)
            for (position, id) in missing.enumerated() {
                if position > 0 { text.bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(string: id.utf8, to: &text.bytes)
            }
            JSONWriter.append(token: "]}", to: &text.bytes)
            return .text(text.take())
        }

        private mutating func append(_ item: Item) {
            guard filter.admits(item) else { return }
            if !isFirst { text.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            ItemEncoder.append(item, to: &text.bytes)
        }
    }
}
