import MedleyCore

/// What happens to a collection, for ever: ends with `nil` when the task is cancelled, at once and with the request that
/// is under way, and throws when the server refuses for good (a URL that is none, an answer that no wait will change;
/// `unauthenticated` and `forbidden` when a token is missing, was withdrawn or is not enough, at the beginning or later).
///
/// Nothing is requested but while the next event is waited for. Each iterator follows for itself.
public struct CollectionEvents: AsyncSequence, Sendable {
    let collection: CollectionClient
    let start: Snapshot?

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            endpoint: collection.endpoint,
            following: Following(collection.location, from: start, retries: collection.endpoint.retries))
    }

    /// Follows a collection, in the task that asks for the next event.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let endpoint: Endpoint
        var following: Following

        /// The next event.
        public mutating func next() async throws(ClientError) -> CollectionEvent? {
            while !Task.isCancelled {
                switch following.next() {
                case .tell(let event): return event
                case .pause(let seconds): await endpoint.retries.sleep(seconds)
                case .request(let request): await send(request)
                case .fail(let error): throw error
                case .end: return nil
                }
            }
            return nil
        }

        /// The next event; what it takes does not run on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> CollectionEvent?
        {
            try await next()
        }

        private mutating func send(_ request: ClientRequest) async {
            let start = endpoint.retries.now()
            do throws(ClientError) {
                let response = try await endpoint.transmit(request)
                let elapsed = endpoint.retries.now() - start
                following.receive(response, to: request, after: elapsed / .seconds(1))
            } catch {
                if !Task.isCancelled { following.receive(error) }
            }
        }
    }
}
