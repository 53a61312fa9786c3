/// What a server asks for each request. Called on loop threads; nothing here may wait.
package protocol RequestHandler: Sendable {
    /// Looks at a head before its body is read: the place to refuse a method, a path, a content type, a length or a
    /// caller, so that `100 Continue` is only sent for what will be taken.
    func admit(_ head: RequestHead) -> Admission

    /// Answers a whole request: `reply.send` at once on this thread, or later from any.
    func handle(_ request: Request, _ reply: any Reply)

    /// The response for a request that the server itself refuses: bytes that are no request, a limit, a deadline.
    func response(to refusal: Refusal) -> Response
}

/// Whether a body may come.
package enum Admission: Sendable {
    /// It may, up to so many bytes (more is `Refusal.bodyTooLarge`). What was found out comes back with the request, so that
    /// nobody has to look at the head a second time.
    case accept(bodyLimit: Int, admitted: (any AnyObject & Sendable)? = nil)
    /// It may not; the response is sent and, if a body was announced, the connection closed after it.
    case refuse(Response)
}

/// Why the server refused what it read, before a handler could.
package struct Refusal: Error, Hashable, Sendable {
    /// The status: 400, 408, 413, 414, 417, 431, 501, 503 or 505.
    package let status: Int
    /// What is wrong, for the problem's detail.
    package let detail: String
    /// The limit that was passed, if one was.
    package let limit: Int?

    /// Creates a refusal.
    package init(status: Int, detail: String, limit: Int? = nil) {
        self.status = status
        self.detail = detail
        self.limit = limit
    }
}

/// The one answer to one request. May be sent from any thread; the second and later sends are ignored. A request whose
/// reply is never sent keeps its connection: a handler answers each. A reply holds its server, and so the handler: who keeps replies lets go of each when it is sent or its peer
/// has ended.
package protocol Reply: Sendable {
    /// Sends the response; if the client has gone, nothing happens.
    func send(_ response: Response)

    /// Says that the answer waits for something to happen, which may take long: the connection then tells when the client
    /// ends, when time goes by and when the server stops, and lets go of `held` with the response.
    ///
    /// Of what has happened already it is told at once, before this returns if it is called on the loop. A request whose
    /// answer is only under way is not held: it is answered even if the client has ended its side.
    func hold(_ held: any HeldRequest)

    /// The loop of the connection. To answer many, give it one job that sends all of them.
    var loop: any LoopExecutor { get }
}
