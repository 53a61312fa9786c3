import HTTPCore
import MedleyCore
import MedleyJSON

/// `GET /v1/collections/{collection}/changes`: what changed since a revision.
enum ChangesResource {
    static func get(_ call: Call) throws(Problem) -> Response {
        let snapshot = try call.snapshot()
        let resetsInline = try call.query.flag("reset", "inline")
        let form = call.form("changes")
        guard let text = try call.query.value("since") else {
            return call.answer(snapshot.revision, form: form) { ResetDocument.make(snapshot) }
        }
        guard let since = Revision(text) else {
            throw ProblemCode.invalidRevision.problem("\"since\" is a revision such as k3f9a2b1-42.")
        }
        let difference = EncodedDifference(since: since, of: snapshot)
        if case .unanswerable(let code) = difference, !resetsInline {
            throw EncodedDifference.problem(code, since: since, current: snapshot.revision)
        }
        return call.answer(snapshot.revision, form: form, isCurrent: since == snapshot.revision) {
            switch difference {
            case .changes(let list): Document(EncodedDifference.answer(from: since, to: snapshot.revision, list))
            case .reset, .unanswerable: ResetDocument.make(snapshot)
            }
        }
    }
}
