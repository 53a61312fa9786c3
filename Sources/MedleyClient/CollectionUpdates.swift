public import MedleyCore

/// The updates among a collection's events: what a data source that applies differences needs.
///
/// The first is a reset with everything, unless it began with a snapshot. A collection that is deleted gives no update;
/// when it comes back a reset follows. `events()` tells of that, and of the connection.
public struct CollectionUpdates: AsyncSequence, Sendable {
    let events: CollectionEvents

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    /// Follows a collection, in the task that asks for the next update.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var events: CollectionEvents.Iterator

        /// The next update; `nil` when the task is cancelled.
        public mutating func next() async throws(ClientError) -> CollectionUpdate? {
            while let event = try await events.next() {
                if case .updated(let update) = event { return update }
            }
            return nil
        }

        /// The next update; what it takes does not run on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> CollectionUpdate? { try await next() }
    }
}

extension CollectionClient: AsyncSequence {
    /// What happens to the collection and to the connection, from now on.
    ///
    /// - Parameter snapshot: what the reader holds, from an earlier time: what changed since then comes first, instead
    ///   of everything.
    public func events(from snapshot: Snapshot? = nil) -> CollectionEvents {
        CollectionEvents(collection: self, start: snapshot)
    }

    /// Each snapshot of the collection with the changes that lead to it, from now on or from a snapshot that is held.
    public func updates(from snapshot: Snapshot? = nil) -> CollectionUpdates {
        CollectionUpdates(events: events(from: snapshot))
    }

    /// Begins to follow.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates().makeAsyncIterator()) }

    /// Follows a collection, in the task that asks for the next snapshot.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var updates: CollectionUpdates.Iterator

        /// The next snapshot; `nil` when the task is cancelled.
        public mutating func next() async throws(ClientError) -> Snapshot? {
            try await updates.next()?.snapshot
        }

        /// The next snapshot; what it takes does not run on the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Snapshot? {
            try await next()
        }
    }
}
