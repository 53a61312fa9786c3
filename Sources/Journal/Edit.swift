package import MedleyCore

/// One request that edits a collection, as the committer carries it out.
package struct Edit: Sendable {
    /// The collection that it edits.
    package let collection: String
    /// What makes a repetition of the request known; `nil` if the client sent no key.
    package let key: IdempotencyKey?
    /// Decides, given the newest snapshot (`nil`: there is no such collection), what becomes of it and what the client is
    /// told. Called on the committer's thread, once for each attempt to commit; it must be pure.
    package let decide: @Sendable (Snapshot?) -> Decision

    /// Creates an edit.
    package init(
        collection: String, key: IdempotencyKey? = nil, decide: @escaping @Sendable (Snapshot?) -> Decision
    ) {
        self.collection = collection
        self.key = key
        self.decide = decide
    }
}

/// What an edit makes of a collection.
package enum Decision: Sendable {
    /// A new collection, or a new snapshot of it.
    case publish(Snapshot, Answer)
    /// The collection goes.
    case remove(Answer)
    /// Everything stays as it is: the edit has no effect, or is refused.
    case keep(Answer)
}

/// What the client is told: a response in a form that can be kept with the edit.
package struct Answer: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// Header fields.
    package var headers: [Header]
    /// The body.
    package var body: [UInt8]

    /// A header field.
    package struct Header: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package let value: String

        /// Creates a field.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an answer.
    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether it is kept under the edit's key: only what succeeded is.
    package var isSuccess: Bool { (200..<300).contains(status) }
}

/// A client's name for one request, so that sending it again has no second effect.
package struct IdempotencyKey: Hashable, Sendable {
    /// Who sent it; keys of different callers never meet.
    package let caller: String
    /// The value of `Idempotency-Key`.
    package let value: String
    /// A hash of method, path and body: the same key with another request is a mistake.
    package let fingerprint: UInt64

    /// Creates a key.
    package init(caller: String, value: String, fingerprint: UInt64) {
        self.caller = caller
        self.value = value
        self.fingerprint = fingerprint
    }
}

/// How an edit ended.
package enum EditResult: Sendable {
    /// The answer to it; `isReplayed` if the same key had it before.
    case answered(Answer, isReplayed: Bool)
    /// The key was used for another request.
    case keyReused
    /// The first request with the key is still under way.
    case keyInUse
    /// The store could not keep it; nothing was applied.
    case storageFailed
    /// The service is stopping; nothing was applied.
    case shuttingDown
    /// Too many edits wait; nothing was applied.
    case overloaded
    /// It would have made one collection more than there may be; nothing was applied.
    case tooManyCollections(limit: Int)
}
