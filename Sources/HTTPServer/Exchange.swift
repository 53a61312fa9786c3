import HTTPCore

/// A request and its response as far as the connection has to know them; the rest is the handler's.
struct Exchange {
    /// The method and the path; empty if the request was refused before they were understood, or nobody observes.
    var method = ""
    var path = ""
    /// Whether the response has no body, whatever it says.
    var isHead = false
    var isHTTP10 = false
    /// Whether the client lets the connection stay open.
    var keepsAlive = false
    /// When the head was complete, in nanoseconds.
    var started: UInt64 = 0

    var status = 0
    /// How a streamed body is framed.
    var framing = ResponseHead.Framing.none
    /// How much of the body was produced.
    var bodyBytes = 0
}
