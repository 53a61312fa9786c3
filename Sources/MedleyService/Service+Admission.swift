import HTTPCore

/// A request's head that was admitted.
struct Admitted {
    /// The resource; `nil` for `OPTIONS *`.
    var route: Route?
    /// What is done with it; `nil` for OPTIONS.
    var operation: Operation?
    var parameters: [String] = []
    var query: Query
    /// Who makes the request; nobody for OPTIONS.
    var caller: Caller
}

extension Service {
    /// Finds what a request means and checks all of it that the head tells: the server's name, path, method, who may, query,
    /// type, length, and what the client accepts.
    func admission(of head: RequestHead) throws(Problem) -> Admitted {
        try checkHost(head)
        let nobody = configuration.access.nobody
        if head.path == "*", head.method == "OPTIONS" {
            return Admitted(query: try Query(nil, allowed: []), caller: nobody)
        }
        guard let path = PathSegments(head.path) else {
            throw ProblemCode.malformedRequest.problem("The path is not percent-encoded UTF-8.")
        }
        guard let (route, parameters) = Self.route(of: path) else {
            throw ProblemCode.notFound.problem(
                "See /openapi.yaml for what is there. A path with a slash at its end is another path.")
        }
        if head.method == "OPTIONS" {
            return Admitted(route: route, parameters: parameters, query: try Query(nil, allowed: []), caller: nobody)
        }
        guard let operation = route.operation(head.method) else {
            throw ProblemCode.methodNotAllowed.problem("\(route.pattern) has \(route.allow).")
                .withHeader("Allow", route.allow)
        }
        let caller = try caller(head, operation, parameters)
        if route.pattern.hasPrefix("/v1/collections/"), !Call.isCollectionID(parameters[0]) {
            guard operation.createsCollections else { throw Call.noCollection(parameters[0]) }
            throw ProblemCode.invalidID.problem(
                "A collection's id is 1 to 128 letters, digits, points, underscores and hyphens, the first of them "
                    + "a letter or digit.")
        }
        let query = try Query(head.query, allowed: operation.query)
        try checkBody(head, route, operation)
        if operation.answersJSON,
            Negotiation.mediaType(of: Self.answerTypes, accept: head.headers.values("Accept")) == nil
        {
            throw ProblemCode.notAcceptable.problem("The answer is application/json, which Accept does not admit.")
        }
        return Admitted(route: route, operation: operation, parameters: parameters, query: query, caller: caller)
    }

    private static let answerTypes = [RoutingTable.json, "application/problem+json"]

    private static func route(of path: PathSegments) -> (Route, [String])? {
        for route in RoutingTable.routes {
            if let parameters = route.parameters(of: path) { return (route, parameters) }
        }
        return nil
    }

    /// The resource that a refused request was for, as metrics call it; `nil` if it was for none.
    static func pattern(of head: RequestHead) -> String? {
        PathSegments(head.path).flatMap { route(of: $0) }?.0.pattern
    }

    private func checkBody(_ head: RequestHead, _ route: Route, _ operation: Operation) throws(Problem) {
        guard !operation.consumes.isEmpty else { return }
        let type = head.headers["Content-Type"]
        if head.framing != .none || type != nil {
            guard let type, let media = MediaType(type), operation.consumes.contains(media.essence),
                media.parameters["charset"].map({ $0.lowercased() == "utf-8" }) ?? true
            else { throw unsupported(type, route, operation) }
        }
        if let coding = head.headers["Content-Encoding"], coding.lowercased() != "identity" {
            throw ProblemCode.unsupportedMediaType.problem("The body must not be coded; send it without \(coding).")
                .withHeader("Accept-Encoding", "identity")
        }
        let limit = bodyLimit(of: operation)
        if case .length(let length) = head.framing, length > limit {
            throw ProblemCode.contentTooLarge.problem("A body has at most \(limit) bytes; this one has \(length).")
                .with("limit", limit)
        }
    }

    private func unsupported(_ type: String?, _ route: Route, _ operation: Operation) -> Problem {
        let sent = type.map { "The body is said to be \($0)." } ?? "Content-Type is missing."
        let taken =
            operation.consumes.count > 2
            ? "one of the types that /openapi.yaml lists" : operation.consumes.joined(separator: " or ")
        let problem = ProblemCode.unsupportedMediaType.problem("\(sent) Send \(taken), as \(operation.example) does.")
        return route.acceptPatch.map { problem.withHeader("Accept-Patch", $0) } ?? problem
    }

    /// What can be done with a resource, and the answer to a browser that asks before it sends (CORS).
    func options(_ route: Route?, _ head: RequestHead) -> Response {
        var response = Response(status: 204)
        let allow = route?.allow ?? "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
        response.headers.add("Allow", allow)
        if let types = route?.acceptPatch { response.headers.add("Accept-Patch", types) }
        if head.headers["Access-Control-Request-Method"] != nil {
            CrossOrigin(configuration.origins).allowRequest(from: head.headers["Origin"], methods: allow, in: &response)
        }
        return response
    }
}
