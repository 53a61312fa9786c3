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
        if let asked, Set(asked).count < asked.count { throw Query.invalid("An id stands twice in \"ids\".") }
        return call.answer(snapshot.revision, form: call.form("items")) {
            let opening = opening(snapshot)
            if let asked { return Document(opening + items(asked, snapshot, filter)) }
            return SelectionDocument.list(snapshot, opening: opening, filter: filter, closing: Array("]}".utf8))
        }
    }

    private static func opening(_ snapshot: Snapshot) -> [UInt8] {
        var text = Array("{\"revision\":".utf8)
        JSONWriter.append(string: snapshot.revision.description, to: &text)
        JSONWriter.append(token: ",\"items\":[", to: &text)
        return text
    }

    /// The asked items, then those that do not exist.
    private static func items(_ asked: [ItemID], _ snapshot: Snapshot, _ filter: ItemFilter) -> [UInt8] {
        var text: [UInt8] = []
        var missing: [ItemID] = []
        for id in asked {
            guard let item = snapshot.item(id) else {
                missing.append(id)
                continue
            }
            guard filter.admits(item) else { continue }
            if !text.isEmpty { text.append(UInt8(ascii: ",")) }
            ItemEncoder.append(item, to: &text)
        }
        JSONWriter.append(token: "],\"missing\":[", to: &text)
        for (position, id) in missing.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(string: id.utf8, to: &text)
        }
        JSONWriter.append(token: "]}", to: &text)
        return text
    }
}
