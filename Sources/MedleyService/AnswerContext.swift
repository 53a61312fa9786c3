import HTTPCore

/// What is remembered of a request until it is answered.
struct AnswerContext: Sendable {
    let method: String
    let origin: String?
    var route: String?
    /// The name of the token that was shown, for the log.
    var caller: String?
    /// Whether the answer waits for a change, so that its time says nothing of the service.
    var isHeld = false
    let started: Double

    init(_ head: RequestHead, route: String?, started: Double) {
        method = Self.methods.contains(head.method) ? head.method : "other"
        origin = head.headers["Origin"]
        self.route = route
        self.started = started
    }

    /// Those that metrics tell apart; any other could be one of endlessly many.
    private static let methods: Set<String> = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "POST"]
}
