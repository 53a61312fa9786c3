/// A response, before framing: the server adds `Date`, `X-Request-Id`, `Connection`, and `Content-Length` or
/// `Transfer-Encoding`.
package struct Response: Sendable {
    /// The status code.
    package var status: Int
    /// Header fields but those that the server adds.
    package var headers: HeaderFields
    /// The body. To a HEAD request the server sends its framing and not its bytes.
    package var body: Body
    /// Whom it answers, for the log: the name of the token that was shown. It is not sent.
    package var caller: String?

    /// A body.
    package enum Body: Sendable {
        /// No body at all (204, 304).
        case empty
        /// A body in one piece, shared, never copied into another.
        case bytes([UInt8])
        /// A body that is made piece by piece as the client reads it, for large ones.
        case stream(any BodyStream)
        /// A body whose pieces come when something happens.
        case live(any LiveStream)
    }

    /// Creates a response.
    package init(status: Int, headers: HeaderFields = .init(), body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A body that is made as the client reads it. It is asked on one loop thread at a time and only when what was made
/// before has been sent, so it holds what it reads from (a snapshot) and one piece.
package protocol BodyStream: Sendable {
    /// The whole length in bytes if it is known; else the body is sent chunked (or ends with the connection for 1.0).
    var length: Int? { get }
    /// The pieces, from the first. Called once for each response.
    func makePieces() -> any BodyPieces
}

/// The pieces of a streamed body.
package protocol BodyPieces {
    /// The next piece, some ten KiB; `nil` at the end. It is empty only where it ends a turn.
    mutating func next() -> [UInt8]?

    /// Whether so much was done for the last piece that other connections are to have their turn before the next.
    var endsTurn: Bool { get }
}

extension BodyPieces {
    /// No piece takes long.
    package var endsTurn: Bool { false }
}
