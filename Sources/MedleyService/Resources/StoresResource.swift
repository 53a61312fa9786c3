import HTTPCore
import JSONText
import MedleyCore

/// `GET /v1/collections/{collection}/stores` and `…/stores/{type}`: the model stores.
enum StoresResource {
    static func list(_ call: Call) throws(Problem) -> Response {
        let snapshot = try call.snapshot()
        return call.answer(snapshot.revision, form: "stores") {
            var text = Array("{\"revision\":".utf8)
            JSONWriter.append(string: snapshot.revision.description, to: &text)
            JSONWriter.append(token: ",\"stores\":[", to: &text)
            for (position, store) in snapshot.stores.enumerated() {
                if position > 0 { text.append(UInt8(ascii: ",")) }
                JSONWriter.append(token: "{\"type\":", to: &text)
                JSONWriter.append(string: store.type.name, to: &text)
                JSONWriter.append(token: ",\"count\":", to: &text)
                JSONWriter.append(integer: store.count, to: &text)
                text.append(UInt8(ascii: "}"))
            }
            JSONWriter.append(token: "]}", to: &text)
            return Document(text)
        }
    }

    static func get(_ call: Call) throws(Problem) -> Response {
        let snapshot = try call.snapshot()
        let name = call.parameters[1]
        guard let type = ItemType(name), let store = snapshot.store(type) else {
            throw ProblemCode.typeNotFound.problem("No item of the collection is of the type \"\(name)\".")
        }
        return call.answer(snapshot.revision, form: "store") {
            var opening = Array("{\"revision\":".utf8)
            JSONWriter.append(string: snapshot.revision.description, to: &opening)
            JSONWriter.append(token: ",\"type\":", to: &opening)
            JSONWriter.append(string: type.name, to: &opening)
            JSONWriter.append(token: ",\"count\":", to: &opening)
            JSONWriter.append(integer: store.count, to: &opening)
            JSONWriter.append(token: ",\"items\":[", to: &opening)
            return SelectionDocument.list(
                snapshot, opening: opening, filter: .type(type), most: store.count, closing: Array("]}".utf8))
        }
    }
}
