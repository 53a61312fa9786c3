/// A request as a transport sends it.
public struct ClientRequest: Hashable, Sendable {
    /// The method: `GET`, `PATCH`, …
    public var method: String
    /// The whole URL.
    public var url: String
    /// The header fields.
    public var headers: [String: String]
    /// The body, if there is one.
    public var body: [UInt8]?
    /// In a request of those that follow a collection, how long the server may hold it before it answers, in seconds,
    /// zero if it is to answer at once; `nil` in any other request.
    public var hold: Double?

    /// Creates a request.
    public init(
        method: String, url: String, headers: [String: String] = [:], body: [UInt8]? = nil, hold: Double? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.hold = hold
    }
}

/// An answer as a transport hands it back.
public struct ClientResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Carries requests to a server; tests put another in the place of the network.
public struct ClientTransport: Sendable {
    /// Sends a request and waits for the answer, whatever its status; throws `unreachable` if there is none. When its
    /// task is cancelled it ends at once and throws `cancelled`. It must not go where a redirection leads, since requests
    /// carry tokens.
    public let send: @Sendable (ClientRequest) async throws(ClientError) -> ClientResponse

    /// Creates a transport.
    public init(send: @escaping @Sendable (ClientRequest) async throws(ClientError) -> ClientResponse) {
        self.send = send
    }
}
