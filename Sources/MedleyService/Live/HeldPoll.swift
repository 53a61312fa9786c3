import HTTPCore
import Journal
import MedleyCore
import Synchronization

/// A poll of one collection that waits for a change. It keeps nothing of the request but what its answer needs.
final class HeldPoll: HeldRequest, Watcher {
    private let service: Service
    private let watchers: LoopWatchers
    private let reply: any Reply
    private let place: WaitingPlace
    private let standing: Standing
    private let exchange: AnswerContext
    private let collection: String
    private let since: Revision
    private let resetsInline: Bool
    private let wantsGzip: Bool
    /// The client's tags, if it has sent some.
    private let known: EntityTagList?
    /// What tells the answer from others of the same revision, for its tag.
    private let form: String
    /// When the time to wait is over, by the loop's clock.
    private let deadline: UInt64
    /// Whether the poll is answered. Used on the loop only; the lock, never contended, says so to the compiler.
    private let isAnswered = Mutex(false)

    /// Holds a request whose client has the newest revision.
    static func hold(
        _ call: Call, _ exchange: AnswerContext, _ reply: any Reply, since: Revision, resetsInline: Bool,
        seconds: Double
    ) throws(Problem) {
        let place = try call.service.places.take(.poll, for: call.request.head.client)
        let poll = HeldPoll(call, exchange, reply, place, since: since, resetsInline: resetsInline, seconds: seconds)
        poll.watchers.add(poll, to: [poll.collection])
        reply.hold(poll)
        // What was published before the registration has told nobody. A client that has gone has been answered by now.
        if !poll.isAnswered.withLock({ $0 }) { poll.look() }
    }

    private init(
        _ call: Call, _ exchange: AnswerContext, _ reply: any Reply, _ place: WaitingPlace, since: Revision,
        resetsInline: Bool, seconds: Double
    ) {
        service = call.service
        watchers = call.service.switchboard.watchers(on: reply.loop)
        self.reply = reply
        self.place = place
        standing = Standing(call.caller, call.service.configuration.access)
        var exchange = exchange
        exchange.isHeld = true
        self.exchange = exchange
        collection = call.collection
        self.since = since
        self.resetsInline = resetsInline
        wantsGzip = call.wantsGzip
        known = EntityTagList(call.headers.values("If-None-Match"))
        form = call.form("changes", without: "wait")
        deadline = reply.loop.now + UInt64(seconds * 1e9)
    }

    func published(_ collections: Set<String>) { look() }

    func tick(now: UInt64) { if now >= deadline || !standing.holds { answerAsItIs() } }

    func drain() { answerAsItIs() }

    func peerEnded() { answerAsItIs() }

    /// Answers if there is something to tell.
    private func look() {
        guard standing.holds else {
            send(Standing.ended.response)
            return
        }
        guard let snapshot = service.library.snapshot(of: collection) else {
            send(Call.noCollection(collection).withHeader("Cache-Control", "no-store").response)
            return
        }
        if snapshot.revision != since { send(answer(snapshot)) }
    }

    private func answerAsItIs() {
        guard standing.holds else {
            send(Standing.ended.response)
            return
        }
        guard let snapshot = service.library.snapshot(of: collection) else {
            send(Call.noCollection(collection).withHeader("Cache-Control", "no-store").response)
            return
        }
        if snapshot.revision == since, known?.names(since) == true {
            var headers = headers(since)
            headers.add("ETag", "\"\(since);\(form)\"")
            send(Response(status: 304, headers: headers))
        } else {
            send(answer(snapshot))
        }
    }

    private func answer(_ snapshot: Snapshot) -> Response {
        let difference = service.differences.difference(since: since, of: snapshot, collection)
        if let code = difference.refusal, !resetsInline {
            return EncodedDifference.problem(code, since: since, current: snapshot.revision).response
        }
        var headers = headers(snapshot.revision)
        headers.add("Content-Type", RoutingTable.json)
        let body: Response.Body
        let isGzip: Bool
        (body, isGzip) = difference.body(gzip: wantsGzip) ?? ResetDocument.make(snapshot).body(gzip: wantsGzip)
        if isGzip { headers.add("Content-Encoding", "gzip") }
        headers.add("ETag", "\"\(snapshot.revision);\(form)\(isGzip ? ";gzip" : "")\"")
        return Response(status: 200, headers: headers, body: body)
    }

    private func headers(_ revision: Revision) -> HeaderFields {
        var headers = HeaderFields()
        headers.add("Revision", revision.description)
        headers.add("Cache-Control", "no-store")
        headers.add("Vary", "Accept, Accept-Encoding")
        return headers
    }

    private func send(_ response: Response) {
        isAnswered.withLock { $0 = true }
        watchers.remove(self, from: [collection])
        reply.send(service.finished(response, exchange))
    }
}
