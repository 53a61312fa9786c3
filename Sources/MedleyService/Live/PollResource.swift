import HTTPCore
import MedleyCore
import MedleyJSON

/// `POST /v1/changes`: one poll of many collections.
enum PollResource {
    static func post(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        let limits = call.service.configuration.limits
        let body: PollBody
        do throws(DecodingProblem) { body = try PollBody(call.request.body) } catch { throw Problem(error) }
        guard body.since.count <= limits.followedCollections else {
            throw ProblemCode.invalidQuery.problem("A poll follows at most \(limits.followedCollections) collections.")
                .with("limit", limits.followedCollections)
        }
        let poll = MultiPoll(call, exchange, reply, body)
        let document = poll.document()
        let wait = min(body.wait ?? 0, limits.waitSeconds)
        guard wait > 0, document == nil else {
            poll.answer(document, isHeld: false)
            return
        }
        try poll.hold(from: call.request.head.client, seconds: wait)
    }
}
