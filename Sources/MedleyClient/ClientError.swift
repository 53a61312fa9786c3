/// Why a request to a server came to nothing.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Hashable, Sendable {
        /// Not the URL of a server or a collection.
        case invalidURL
        /// No connection, or one that broke off. An edit may have been carried out all the same.
        case unreachable
        /// Something answers, but no Medley server.
        case notMedley
        /// Changes that do not fit what is held.
        case inconsistent
        /// Another address answers for this one. It is not gone to, since it would get the token and what is sent.
        case redirected
        /// The server wants a token (401), or the one that it was shown is not in force, perhaps no longer.
        case unauthenticated
        /// What was shown does not allow this (403).
        case forbidden
        /// The server refused the request, and `problem` says why.
        case refused
        /// The task was cancelled. An edit may have been carried out all the same.
        case cancelled
    }

    /// What is wrong.
    public let code: Code
    /// For people.
    public let message: String
    /// What the server said, if it was the server who refused.
    public let problem: ServerProblem?
    /// What the system said, if it said something.
    public let cause: String?
    /// The idempotency key of an edit that came to no end: whether it was carried out is not known, or it was not this
    /// time. Made again with the same content and this as `key:`, it is carried out once in all. `nil` for other errors.
    public let idempotencyKey: String?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, problem: ServerProblem? = nil, cause: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.code = code
        self.message = message
        self.problem = problem
        self.cause = cause
        self.idempotencyKey = idempotencyKey
    }

    /// The message and the cause in one line.
    public var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}
