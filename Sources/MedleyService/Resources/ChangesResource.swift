import HTTPCore
import MedleyCore
import MedleyJSON

/// `GET /v1/collections/{collection}/changes`: what changed since a revision, at once or, with `wait`, when there is
/// something.
enum ChangesResource {
    static func get(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        let wait = try call.query.seconds("wait", most: call.service.configuration.limits.waitSeconds) ?? 0
        let snapshot = try call.snapshot()
        let resetsInline = try call.query.flag("reset", "inline")
        let since = try call.since()
        guard wait > 0, let since, since == snapshot.revision, call.request.head.method == "GET" else {
            var response = try answer(call, snapshot, since, resetsInline: resetsInline)
            if wait > 0 { response.headers.set("Cache-Control", "no-store") }
            reply.send(call.service.finished(response, exchange))
            return
        }
        try HeldPoll.hold(call, exchange, reply, since: since, resetsInline: resetsInline, seconds: wait)
    }

    private static func answer(
        _ call: Call, _ snapshot: Snapshot, _ since: Revision?, resetsInline: Bool
    ) throws(Problem) -> Response {
        let form = call.form("changes", without: "wait")
        guard let since else {
            return call.answer(snapshot.revision, form: form) { ResetDocument.make(snapshot) }
        }
        let difference = call.service.differences.difference(since: since, of: snapshot, call.collection)
        if let code = difference.refusal, !resetsInline {
            throw EncodedDifference.problem(code, since: since, current: snapshot.revision)
        }
        return call.answer(snapshot.revision, form: form, isCurrent: since == snapshot.revision) {
            difference.document ?? ResetDocument.make(snapshot)
        }
    }
}
