import HTTPCore

/// A resource: the form of its path and what can be done with it.
struct Route: Sendable {
    /// The path with its parameters in braces; also what metrics call it.
    let pattern: String
    /// What can be done, by method; HEAD goes with GET, and OPTIONS with all.
    let operations: [Operation]
    /// Whether it tells machines if the service is well: that is answered whatever the load.
    let isProbe: Bool
    private let segments: [Segment]

    private enum Segment {
        case literal(String)
        case parameter
    }

    init(_ pattern: String, _ operations: Operation...) {
        self.pattern = pattern
        self.operations = operations
        isProbe = pattern == "/healthz" || pattern == "/readyz"
        segments = pattern.split(separator: "/").map { $0.hasPrefix("{") ? .parameter : .literal(String($0)) }
    }

    /// The methods for `Allow`.
    var allow: String {
        (operations.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] } + ["OPTIONS"])
            .joined(separator: ", ")
    }

    /// The media types for `Accept-Patch` (RFC 5789), or `nil` if there is no PATCH.
    var acceptPatch: String? {
        operations.first { $0.method == "PATCH" }.map { $0.consumes.joined(separator: ", ") }
    }

    /// The parameters of a path, or `nil` if it is another resource's. No parameter is empty.
    func parameters(of path: PathSegments) -> [String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String] = []
        for (segment, text) in zip(segments, path.segments) {
            switch segment {
            case .literal(let literal):
                guard literal.utf8.elementsEqual(text.utf8) else { return nil }
            case .parameter:
                guard !text.isEmpty else { return nil }
                parameters.append(text)
            }
        }
        return parameters
    }

    /// The operation of a method.
    func operation(_ method: String) -> Operation? {
        let method = method == "HEAD" ? "GET" : method
        return operations.first { $0.method == method }
    }
}
