import MedleyCore
import MedleyJSON

/// A client's copy of a collection, kept in step by `changes?since=`; it survives the server.
struct CrashView {
    let collection: String
    /// `nil` while there is no such collection.
    private(set) var replica: Replica?

    init(_ collection: String) { self.collection = collection }

    var revision: Revision? { replica?.snapshot.revision }

    /// The snapshot as the server must write it.
    var json: [UInt8]? { replica.map { Self.json($0, of: collection) } }

    static func json(_ replica: Replica, of collection: String) -> [UInt8] {
        NaiveCollection(replica.snapshot).json(id: collection, revision: replica.snapshot.revision)
    }

    /// Asks for what changed. Throws only if the connection broke off; what an answer should not be is a finding.
    mutating func catchUp(over connection: ServerConnection, _ history: CrashHistory) throws {
        history.polled()
        guard let revision else {
            try read(over: connection, history)
            return
        }
        let reply = try connection.send("GET", "/v1/collections/\(collection)/changes?since=\(revision)")
        switch reply.status {
        case 200:
            do {
                let answer = try ChangeDecoder().changesAnswer(reply.body)
                if answer.to.lineage == revision.lineage, answer.to.number < revision.number {
                    history.fail("\(collection) went back from \(revision) to \(answer.to)")
                }
                try replica?.apply(answer.changes ?? [], isReset: answer.isReset, to: answer.to)
            } catch {
                history.fail("the changes of \(collection) since \(revision) do not apply (\(error)): \(reply.text)")
                replica = nil
            }
        case 404: replica = nil
        case 410 where reply.text.contains("/problems/lineage-changed"): try read(over: connection, history)
        default:
            history.fail("the changes of \(collection) since \(revision): \(reply.status) \(reply.text)")
            replica = nil
        }
    }

    /// Reads the whole snapshot.
    mutating func read(over connection: ServerConnection, _ history: CrashHistory) throws {
        replica = nil
        let reply = try connection.send("GET", "/v1/collections/\(collection)")
        if reply.status == 404 { return }
        do {
            guard reply.status == 200, let revision = reply["Revision"].flatMap({ Revision($0) }) else {
                history.fail("GET \(collection): \(reply.status) \(reply.text)")
                return
            }
            replica = try Replica(json: reply.body, revision: revision)
            history.note(reply.body, of: collection, at: revision)
        } catch { history.fail("the snapshot of \(collection) cannot be read (\(error)): \(reply.text)") }
    }

    /// Applies the answer to an edit of the client's own if it starts where the copy is.
    mutating func follow(_ answer: ChangesAnswer) {
        guard answer.isReset || answer.from == revision else { return }
        var next = replica ?? Replica()
        // An answer that does not apply is found by the model, which applies all of them.
        if (try? next.apply(answer.changes ?? [], isReset: answer.isReset, to: answer.to)) != nil { replica = next }
    }

    /// Forgets what is held: the client deleted the collection.
    mutating func drop() { replica = nil }
}
