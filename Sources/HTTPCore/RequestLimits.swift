/// How much of a request is read at most; more is a refusal.
package struct RequestLimits: Hashable, Sendable {
    /// Bytes of the request line; more is 414.
    package var requestLine = 8_192
    /// Bytes of all header fields together, and of all trailer fields; more is 431.
    package var headerBytes = 32_768
    /// Number of header fields, and of trailer fields; more is 431.
    package var headerCount = 100
    /// Bytes of the line before a chunk: its size and extensions; more is 400.
    package var chunkLine = 256
    /// Bytes of all chunk extensions of a body together; more is 400.
    package var chunkExtensions = 8_192
    /// Bytes of the body until an admission says otherwise; more is 413.
    package var body = 1_048_576

    /// The default limits.
    package init() {}
}
