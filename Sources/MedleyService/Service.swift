package import HTTPCore
package import Journal
import MedleyCore
import MedleyJSON

/// The service: answers requests from the published snapshots and hands edits to the committer.
///
/// It knows nothing of sockets. Reads are answered at once on the calling thread; edits, and bodies that take long to
/// decode, are answered later from another.
package final class Service: RequestHandler {
    let library: Library
    let committer: Committer
    let configuration: ServiceConfiguration
    let contract: FixedContent
    let metrics: ServiceMetrics
    let cursors: CursorTable
    let decoding: DecodingQueue
    let editBytes: ByteBudget
    let importBytes: ByteBudget
    let switchboard = Switchboard()
    let differences: SharedDifferences
    let rate: RateLimiter?
    let places: WaitingPlaces
    let changeDecoder: ChangeDecoder
    let snapshotDecoder: SnapshotDecoder

    /// Creates a service.
    package init(
        library: Library, committer: Committer, configuration: ServiceConfiguration,
        metrics: ServiceMetrics = ServiceMetrics()
    ) {
        self.library = library
        self.committer = committer
        self.configuration = configuration
        contract = FixedContent(configuration.contract)
        self.metrics = metrics
        cursors = CursorTable(limits: configuration.limits, now: configuration.now)
        decoding = DecodingQueue(limit: configuration.limits.waitingBodies)
        editBytes = ByteBudget(limit: configuration.limits.editBytes)
        importBytes = ByteBudget(limit: configuration.limits.importBytes)
        places = WaitingPlaces(configuration.limits)
        let limits = configuration.limits
        differences = SharedDifferences(within: ByteBudget(limit: limits.differenceBytes))
        rate = RateLimiter(perSecond: limits.requestsPerSecond, burst: limits.requestBurst)
        let content = ContentLimits(
            changes: limits.changes, names: limits.requestNames, sectionByteCount: limits.sectionBytes)
        changeDecoder = ChangeDecoder(limits: content, makeID: configuration.makeItemID)
        snapshotDecoder = SnapshotDecoder(limits: content, makeID: configuration.makeItemID)
        library.whenPublished { [switchboard] collections in switchboard.published(collections) }
    }

    /// Checks all that does not need the body.
    package func admit(_ head: RequestHead) -> Admission {
        var name: String?
        do throws(Problem) {
            let admitted = try admission(of: head, by: &name)
            let limit = admitted.operation.map { $0.consumes.isEmpty ? Self.ignoredBodyBytes : bodyLimit(of: $0) }
            return .accept(bodyLimit: limit ?? Self.ignoredBodyBytes, admitted: admitted)
        } catch {
            var exchange = AnswerContext(head, route: Self.pattern(of: head), started: configuration.now())
            exchange.caller = name
            return .refuse(finished(error.response, exchange))
        }
    }

    /// Answers a request that was admitted.
    package func handle(_ request: Request, _ reply: any Reply) {
        guard let admitted = request.admitted as? Admitted else {
            preconditionFailure("a request is admitted before it is handled")
        }
        var exchange = AnswerContext(request.head, route: admitted.route?.pattern, started: configuration.now())
        exchange.caller = admitted.caller.tokenName
        do throws(Problem) {
            try requireStanding(of: admitted.caller)
            guard let route = admitted.route, let operation = admitted.operation else {
                reply.send(finished(options(admitted.route, request.head), exchange))
                return
            }
            let call = Call(
                service: self, request: request, route: route, operation: operation, parameters: admitted.parameters,
                query: admitted.query, caller: admitted.caller, format: admitted.format)
            switch operation.action {
            case .read(let read), .session(let read): reply.send(finished(try read(call), exchange))
            case .edit(let prepare): edit(call, prepare, exchange, reply)
            case .follow(let follow): try follow(call, exchange, reply)
            }
        } catch { reply.send(finished(error.response, exchange)) }
    }

    /// The problem for what the server refused by itself.
    package func response(to refusal: Refusal) -> Response {
        var problem = ProblemCode(refusal: refusal.status).problem(refusal.detail)
        if let limit = refusal.limit { problem = problem.with("limit", limit) }
        metrics.record(method: "other", route: "other", status: problem.status, seconds: nil)
        return problem.response
    }

    /// The most bytes of a body that an operation takes.
    func bodyLimit(of operation: Operation) -> Int {
        let limits = configuration.limits
        return operation.isReadOnLoop ? min(limits.pollBytes, limits.bodyBytes) : limits.bodyBytes
    }

    /// A body that nobody reads may be this long, in bytes.
    private static let ignoredBodyBytes = 64 << 10

    /// The last touches of every response: what pages of other origins may read, whom it answers, and the count of it.
    func finished(_ response: Response, _ exchange: AnswerContext) -> Response {
        var response = response
        CrossOrigin(configuration.origins).allow(exchange.origin, in: &response)
        response.caller = exchange.caller
        metrics.record(
            method: exchange.method, route: exchange.route ?? "other", status: response.status,
            seconds: exchange.isHeld ? nil : configuration.now() - exchange.started)
        return response
    }
}
