/// What a request means, found out of its head once: the server brings it back with the body.
final class Admitted: Sendable {
    /// The resource; `nil` for `OPTIONS *`.
    let route: Route?
    /// What is done with it; `nil` for OPTIONS.
    let operation: Operation?
    /// The parameters in its path.
    let parameters: [String]
    /// The query.
    let query: Query
    /// Who makes the request; nobody for OPTIONS.
    let caller: Caller
    /// The form of the answer.
    let format: AnswerFormat

    init(
        route: Route? = nil, operation: Operation? = nil, parameters: [String] = [], query: Query, caller: Caller,
        format: AnswerFormat = .json
    ) {
        self.route = route
        self.operation = operation
        self.parameters = parameters
        self.query = query
        self.caller = caller
        self.format = format
    }
}
