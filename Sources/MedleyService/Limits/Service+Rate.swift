import HTTPCore

extension Service {
    /// Counts a request before anything else is done for it: 429 if there are too many of its client.
    ///
    /// - Parameter identity: whoever makes it, or why that is not known.
    func countRate(_ head: RequestHead, _ identity: Result<Caller, Problem>) throws(Problem) {
        guard let rate else { return }
        let client: RateLimiter.Client
        switch identity {
        case .success(let caller) where !caller.isAnonymous: client = .token(caller.keyOwner)
        case .success:
            let address = head.client
            // A proxy on this machine that is not believed stands for many clients.
            if address == .unknown || (configuration.limits.loopbackIsExempt && address.isLoopback) { return }
            client = .network(address.clientNetwork)
        case .failure:
            // Whoever guesses tokens is limited wherever they are; those with a token that is in force are not held up.
            client = .network(head.client.clientNetwork)
        }
        guard let seconds = rate.take(client, now: configuration.now()) else { return }
        let limit = configuration.limits.requestsPerSecond
        var problem = ProblemCode.tooManyRequests.problem(
            "A token, or an address without one, may make \(limit) requests a second."
        ).with("limit", limit)
        problem.headers.set("Retry-After", String(seconds))
        throw problem
    }
}
