import HTTPCore

extension Service {
    /// Finds what a request means and checks all of it that the head tells: the server's name, path, method, who may, query,
    /// type, length, and what the client accepts.
    ///
    /// - Parameter name: becomes the name of the token that was shown, also if the request is refused after that.
    func admission(of head: RequestHead, by name: inout String?) throws(Problem) -> Admitted {
        let path = PathSegments(head.path)
        let found = path.flatMap { Self.route(of: $0) }
        let operation = found?.0.operation(head.method)
        // Who asks, where that matters; a probe of health is never refused.
        let identity = operation.map { $0.need == .nothing } ?? true ? nil : identity(head)
        let nobody = configuration.access.nobody
        if found?.0.isProbe != true { try countRate(head, identity ?? .success(nobody)) }
        try checkHost(head)
        if head.path == "*", head.method == "OPTIONS" {
            return Admitted(query: try Query(nil, allowed: []), caller: nobody)
        }
        guard path != nil else {
            throw ProblemCode.malformedRequest.problem("The path is not percent-encoded UTF-8.")
        }
        guard let (route, parameters) = found else {
            throw ProblemCode.notFound.problem(
                "See /openapi.yaml for what is there. A path with a slash at its end is another path.")
        }
        if head.method == "OPTIONS" {
            return Admitted(route: route, parameters: parameters, query: try Query(nil, allowed: []), caller: nobody)
        }
        guard let operation else {
            throw ProblemCode.methodNotAllowed.problem("\(route.pattern) has \(route.allow).")
                .withHeader("Allow", route.allow)
        }
        let caller = try caller(head, identity ?? .success(nobody), operation, parameters, by: &name)
        if route.pattern.hasPrefix("/v1/collections/"), !Call.isCollectionID(parameters[0]) {
            guard operation.createsCollections else { throw Call.noCollection(parameters[0]) }
            let most = Call.maximumIDByteCount
            let problem = ProblemCode.invalidID.problem(
                "A collection's id is 1 to \(most) letters, digits, points, underscores and hyphens, the first of them "
                    + "a letter or digit.")
            throw parameters[0].utf8.count > most ? problem.with("limit", most) : problem
        }
        let query = try Query(head.query, allowed: operation.query)
        try checkBody(head, route, operation)
        return Admitted(
            route: route, operation: operation, parameters: parameters, query: query, caller: caller,
            format: try answerFormat(head, query, operation))
    }

    /// What form of the answer is asked for, in the address or else by `Accept`: 406 if there is none such.
    private func answerFormat(
        _ head: RequestHead, _ query: Query, _ operation: Operation
    ) throws(Problem) -> AnswerFormat {
        guard operation.answersJSON else { return .json }
        if operation.hasFormats, let name = try query.value("format") { return try AnswerFormat(named: name) }
        let accept = head.headers.values("Accept")
        if let format = AnswerFormat(accept: accept, isJSONOnly: !operation.hasFormats) { return format }
        let types = AnswerFormat.mediaTypes.joined(separator: ", ")
        throw ProblemCode.notAcceptable.problem(
            operation.hasFormats
                ? "Accept admits none of the answer's types: \(types)."
                : "The answer is application/json, which Accept does not admit.")
    }

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
