import HTTPCore
import Journal
import MedleyCore

/// `GET /v1/collections/{collection}/events` and `GET /v1/events`: changes as they come, as Server-Sent Events.
enum EventsResource {
    static func ofCollection(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        // Where there is no such collection, there is no stream.
        _ = try call.snapshot()
        var start = try call.since().map { StreamPosition.revision($0) } ?? .none
        // A browser sends what it saw last, whatever its address says; and gives up on any answer but 200.
        if let last = call.headers["Last-Event-ID"] { start = Revision(last).map { .revision($0) } ?? .unknown }
        try open(.one(call.collection), [call.collection: start], otherwise: .none, call, exchange, reply)
    }

    static func ofMany(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        let limit = call.service.configuration.limits.followedCollections
        var positions: [String: StreamPosition] = [:]
        var otherwise = StreamPosition.none
        if let last = call.headers["Last-Event-ID"], !last.isEmpty {
            // What it does not name came to be since; and of what cannot be read nobody knows what the client holds.
            otherwise = .unknown
            positions = StreamPosition.positions(last) ?? [:]
        } else if let text = try call.query.value("since") {
            guard let parsed = StreamPosition.positions(text) else {
                throw ProblemCode.invalidRevision.problem(
                    "\"since\" is what an event's id was, such as mix=k3f9a2b1-42.")
            }
            positions = parsed
        }
        guard let collections = try call.query.list("collections") else {
            return try open(.all, positions, otherwise: otherwise, call, exchange, reply)
        }
        guard collections.count <= limit else {
            throw ProblemCode.invalidQuery.problem("A stream names at most \(limit) collections.").with("limit", limit)
        }
        if let id = collections.first(where: { !Call.isCollectionID($0) }) {
            throw Query.invalid("\"\(id)\" is no id of a collection.")
        }
        var seen = Set<String>()
        let distinct = collections.filter { seen.insert($0).inserted }
        let known = positions.filter { seen.contains($0.key) }
        try open(.some(distinct), known, otherwise: otherwise, call, exchange, reply)
    }

    /// How many collections someone may read.
    private static func readable(by caller: Caller, in library: Library) -> Int {
        if caller.grant?.coversAll == true { return library.count }
        return library.all().count { caller.mayRead($0.collection) }
    }

    private static func open(
        _ scope: EventStream.Scope, _ positions: [String: StreamPosition], otherwise: StreamPosition, _ call: Call,
        _ exchange: AnswerContext, _ reply: any Reply
    ) throws(Problem) {
        guard
            Negotiation.mediaType(of: [EventText.mediaType], accept: call.headers.values("Accept")) != nil
        else {
            throw ProblemCode.notAcceptable.problem("The answer is text/event-stream, which Accept does not admit.")
        }
        let count =
            switch scope {
            case .one: 1
            case .some(let collections): collections.count
            case .all: max(1, readable(by: call.caller, in: call.service.library) + positions.count)
            }
        let place = try call.service.places.take(
            .stream, for: call.request.head.client, following: count)
        var headers = HeaderFields()
        headers.add("Content-Type", EventText.mediaType)
        headers.add("Cache-Control", "no-store")
        // nginx would hold events back until its buffer is full.
        headers.add("X-Accel-Buffering", "no")
        let stream = EventStream(
            call.service, scope, positions, otherwise: otherwise, place, for: call.caller, on: reply.loop)
        var exchange = exchange
        exchange.isHeld = true
        reply.send(
            call.service.finished(Response(status: 200, headers: headers, body: .live(stream)), exchange))
    }
}
