import HTTPCore
import JSONText
import Journal
import MedleyCore
import MedleyJSON

/// `/v1/collections/{collection}/items/{item}`: one model; PATCH and DELETE are edits of the collection.
enum ItemResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let snapshot = try call.snapshot()
        guard let item = snapshot.item(call.item) else { throw Call.noItem(call.item) }
        return call.answer(snapshot.revision, form: "item") {
            var text: [UInt8] = []
            ItemEncoder.append(item, to: &text)
            return Document(text)
        }
    }

    static func patch(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        let patch: ItemPatch
        do throws(DecodingProblem) {
            patch = try call.service.changeDecoder.itemPatch(call.request.body)
        } catch { throw Problem(error) }
        return try edit(call, Change(.merge([call.item], patch)))
    }

    static func delete(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        try edit(call, Change(.delete([call.item])))
    }

    private static func edit(_ call: Call, _ change: Change) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        let terms = try EditTerms(call)
        let (collection, id) = (call.collection, call.item)
        return { previous in
            Decision.deciding { () throws(Problem) in
                guard let previous else { throw Call.noCollection(collection) }
                guard previous.item(id) != nil else { throw Call.noItem(id) }
                try terms.check(against: previous)
                let next: Snapshot
                do throws(ChangeError) {
                    next = try previous.applying([change])
                } catch {
                    // The patch is the change's `set`, so what stands before it in the path is not the client's.
                    throw Problem(error, path: error.path.dropFirst(2))
                }
                return try terms.decision(from: previous, to: next)
            }
        }
    }
}

extension Call {
    /// The item that the path names; only for paths that name one.
    fileprivate var item: ItemID { ItemID(parameters[1]) }
}
