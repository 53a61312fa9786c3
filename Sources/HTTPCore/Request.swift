/// The request line and header fields of a request that passed the strict parser.
package struct RequestHead: Sendable {
    /// The method as it was sent (methods are case-sensitive, RFC 9110, 9.1).
    package var method: String
    /// The path of the target, raw: not percent-decoded, always begins with `/` (or is `*` for OPTIONS).
    package var path: String
    /// The query of the target without its `?`, raw; `nil` if there is no `?`.
    package var query: String?
    /// Whether the request is HTTP/1.0 (else 1.1).
    package var isHTTP10: Bool
    /// The header fields.
    package var headers: HeaderFields
    /// How the body is framed.
    package var framing: BodyFraming
    /// Whether the client waits for `100 Continue` before it sends the body.
    package var expectsContinue: Bool
    /// The peer's address and port as text, for logs and limits.
    package var peer: String
    /// Whether the client lets the connection stay open after the response (RFC 9112, 9.3).
    package var keepsAlive: Bool
    /// What the client calls the request: `X-Request-Id`, if it stands once and is fit for a `RequestID`. A server gives
    /// those one that have none, so a handler finds it here always.
    package var requestID: RequestID?

    /// Whether the client speaks TLS, to this server or to a proxy that is believed.
    package var isSecure = false
    /// The client's address by a proxy that is believed.
    package var forwardedFor: NetworkAddress?

    /// The client's IP address: what a trusted proxy says, else the peer's; `unknown` if there is none. O(1).
    package var client: NetworkAddress { forwardedFor ?? NetworkAddress(peer: peer) ?? .unknown }

    /// The client's IP address as text: what a trusted proxy says, else `peer` without port and brackets, an IPv4 address in
    /// IPv6 form as IPv4; empty if it is not known. Made on each use, so keep it if you need it twice.
    package var clientAddress: String { forwardedFor?.description ?? String(ClientAddress.text(ofPeer: peer)) }

    /// Creates a head; the parser does, and tests.
    package init(
        method: String, path: String, query: String? = nil, isHTTP10: Bool = false, headers: HeaderFields = .init(),
        framing: BodyFraming = .none, expectsContinue: Bool = false, peer: String = "",
        keepsAlive: Bool = true, requestID: RequestID? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.isHTTP10 = isHTTP10
        self.headers = headers
        self.framing = framing
        self.expectsContinue = expectsContinue
        self.peer = peer
        self.keepsAlive = keepsAlive
        self.requestID = requestID
    }
}

/// How a request's body is framed (RFC 9112, 6).
package enum BodyFraming: Hashable, Sendable {
    /// There is no body.
    case none
    /// `Content-Length`, in bytes.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
}

/// A whole request.
package struct Request: Sendable {
    /// Request line and header fields.
    package var head: RequestHead
    /// The body, transfer coding removed; empty if there is none.
    package var body: [UInt8]
    /// What the handler found out of the head when it was admitted.
    package var admitted: (any AnyObject & Sendable)?

    /// Creates a request.
    package init(head: RequestHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}
