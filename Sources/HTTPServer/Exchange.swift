import HTTPCore

/// A request and its response as far as the connection has to know them; the rest is the handler's.
struct Exchange {
    /// What the request is called; `nil` before its head is there.
    var id: RequestID?
    /// The method and the path; empty if the request was refused before they were understood, or nobody observes.
    var method = ""
    var path = ""
    /// The client's address by a proxy that is believed.
    var forwardedFor: NetworkAddress?
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
    /// Whom it answers, as the handler says.
    var caller: String?
    /// How much the connection has written when the response is sent, in bytes.
    var end: UInt64 = 0
    /// Whether the response, or the client's side, ended before it should.
    var isCut = false
    /// Whether the observer was told, though the exchange is still the connection's.
    var isTold = false
}
