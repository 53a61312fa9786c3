import HTTPCore
import JSONText
import Journal
import MedleyCore

/// `GET /v1/collections`: every collection that the caller may read, with its title, revision and counts.
enum CollectionsResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let all = call.service.library.all().filter { call.caller.mayRead($0.collection) }
        return call.answer(Document { AnyIterator(Parts(all)) })
    }

    /// The list, part by part: titles may be long.
    private struct Parts: IteratorProtocol {
        private let all: [(collection: String, snapshot: Snapshot)]
        private var text = TurnText(Array("{\"collections\":[".utf8))
        private var index = 0
        private var isAtEnd = false

        init(_ all: [(collection: String, snapshot: Snapshot)]) { self.all = all }

        mutating func next() -> DocumentPart? {
            if isAtEnd { return nil }
            while index < all.count {
                append(all[index])
                index += 1
                if let part = text.partAfterStep() { return part }
            }
            isAtEnd = true
            JSONWriter.append(token: "]}", to: &text.bytes)
            return .text(text.take())
        }

        private mutating func append(_ one: (collection: String, snapshot: Snapshot)) {
            JSONWriter.append(token: index == 0 ? "{\"id\":" : ",{\"id\":", to: &text.bytes)
            JSONWriter.append(string: one.collection, to: &text.bytes)
            JSONWriter.append(token: ",\"title\":", to: &text.bytes)
            text.bytes.append(contentsOf: one.snapshot.members.value(of: "title") ?? Array("\"\"".utf8)[...])
            JSONWriter.append(token: ",\"revision\":", to: &text.bytes)
            JSONWriter.append(string: one.snapshot.revision.description, to: &text.bytes)
            JSONWriter.append(token: ",\"counts\":", to: &text.bytes)
            SnapshotDocument.appendCounts(of: one.snapshot, to: &text.bytes)
            text.bytes.append(UInt8(ascii: "}"))
        }
    }
}
