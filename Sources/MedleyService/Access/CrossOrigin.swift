import HTTPCore

/// What pages of other origins may do (CORS, as the Fetch standard has it).
struct CrossOrigin {
    private let origins: ServiceConfiguration.Origins

    init(_ origins: ServiceConfiguration.Origins) { self.origins = origins }

    /// Whether pages of an origin are allowed what this server's own are.
    func admits(_ origin: String?) -> Bool {
        switch origins {
        case .all: true
        case .listed(let listed): origin.map(listed.contains) ?? false
        }
    }

    /// Lets a page of an allowed origin read a response.
    func allow(_ origin: String?, in response: inout Response) {
        switch origins {
        case .all:
            guard origin != nil else { return }
            response.headers.set("Access-Control-Allow-Origin", "*")
        case .listed(let listed):
            guard !listed.isEmpty else { return }
            // A cache must not give one origin what another one got, nor what nobody of another origin asked for.
            let vary = response.headers["Vary"].map { "\($0), Origin" } ?? "Origin"
            response.headers.set("Vary", vary)
            guard let origin, listed.contains(origin) else { return }
            response.headers.set("Access-Control-Allow-Origin", origin)
        }
        response.headers.set(
            "Access-Control-Expose-Headers", "ETag, Revision, Link, Retry-After, Idempotency-Replayed, X-Request-Id")
    }

    /// Tells a browser, for a day, what it may send.
    func allowRequest(from origin: String?, methods: String, in response: inout Response) {
        guard let origin else { return }
        if case .listed(let listed) = origins, !listed.contains(origin) { return }
        response.headers.set("Access-Control-Allow-Methods", methods)
        response.headers.set(
            "Access-Control-Allow-Headers",
            "Accept, Authorization, Content-Type, If-Match, If-None-Match, Prefer, Idempotency-Key, Last-Event-ID, "
                + "X-Request-Id")
        response.headers.set("Access-Control-Max-Age", "86400")
    }
}
