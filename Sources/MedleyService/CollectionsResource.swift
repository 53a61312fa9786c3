import HTTPCore
import JSONText
import Journal
import MedleyCore

/// `GET /v1/collections`: every collection that the caller may read, with its title, revision and counts.
enum CollectionsResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let all = call.service.library.all().filter { call.caller.mayRead($0.collection) }
        var text = Array("{\"collections\":[".utf8)
        for (position, (collection, snapshot)) in all.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(token: "{\"id\":", to: &text)
            JSONWriter.append(string: collection, to: &text)
            JSONWriter.append(token: ",\"title\":", to: &text)
            text.append(contentsOf: snapshot.members.value(of: "title") ?? Array("\"\"".utf8)[...])
            JSONWriter.append(token: ",\"revision\":", to: &text)
            JSONWriter.append(string: snapshot.revision.description, to: &text)
            JSONWriter.append(token: ",\"counts\":", to: &text)
            SnapshotDocument.appendCounts(of: snapshot, to: &text)
            text.append(UInt8(ascii: "}"))
        }
        JSONWriter.append(token: "]}", to: &text)
        return call.answer(Document(text))
    }
}
