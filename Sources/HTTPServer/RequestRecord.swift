package import HTTPCore

/// A request and its response in short.
package struct RequestRecord: Hashable, Sendable {
    /// What the request is called.
    package let id: RequestID
    /// The method; empty if the request was refused before it was understood.
    package let method: String
    /// The raw path without the query; empty likewise.
    package let path: String
    /// The peer's address and port.
    package let peer: String
    /// The client's address by a trusted proxy; `nil` if the peer is none.
    package let forwardedFor: NetworkAddress?
    /// The name of the token that the handler answered; `nil` if none was shown.
    package let caller: String?
    /// The status of the response; 0 if there was none, because the connection was lost before.
    package let status: Int
    /// The bytes of the response's body that the system took.
    package let bodyBytes: Int
    /// From the end of the request's head to the last byte of the response, or to the connection's end, in nanoseconds.
    package let nanoseconds: UInt64
    /// Whether all of the response was sent, and the client was there until its end.
    package let isComplete: Bool

    /// Creates a record; the server does, and tests.
    package init(
        id: RequestID, method: String, path: String, peer: String, forwardedFor: NetworkAddress? = nil,
        caller: String?, status: Int, bodyBytes: Int, nanoseconds: UInt64, isComplete: Bool
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.peer = peer
        self.forwardedFor = forwardedFor
        self.caller = caller
        self.status = status
        self.bodyBytes = bodyBytes
        self.nanoseconds = nanoseconds
        self.isComplete = isComplete
    }
}
