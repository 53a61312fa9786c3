/// Is told of every response; for metrics and access logs.
package protocol ServerObserver: Sendable {
    /// A response was produced to its last byte. Called on loop threads: it must not wait.
    func requestFinished(_ record: RequestRecord)
}

/// A request and its response in short.
package struct RequestRecord: Hashable, Sendable {
    /// The method; empty if the request was refused before it was understood.
    package let method: String
    /// The raw path; empty likewise.
    package let path: String
    /// The peer's address and port.
    package let peer: String
    /// The status of the response.
    package let status: Int
    /// The bytes of the body that were produced.
    package let bodyBytes: Int
    /// From the end of the request's head to the last byte of the response, in nanoseconds.
    package let nanoseconds: UInt64
}
