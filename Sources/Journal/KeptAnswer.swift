/// An answer that a store has kept under an idempotency key.
package struct KeptAnswer: Sendable {
    /// The collection that the request was about.
    package let collection: String
    /// The key.
    package let key: IdempotencyKey
    /// What the client was told.
    package let answer: Answer
    /// How long ago, in seconds.
    package let age: Double
}
