/// Why a request to a server came to nothing.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Hashable, Sendable {
        /// Not the URL of a server or a collection.
        case invalidURL
        /// No connection, or one that broke off.
        case unreachable
        /// Something answers, but no Medley server.
        case notMedley
        /// Changes that do not fit what is held.
        case inconsistent
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

    /// Creates an error.
    public init(_ code: Code, _ message: String, problem: ServerProblem? = nil, cause: String? = nil) {
        self.code = code
        self.message = message
        self.problem = problem
        self.cause = cause
    }

    /// The message and the cause in one line.
    public var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}
