package import MedleyCore

/// What a store held when it was opened.
package struct RecoveredState: Sendable {
    /// The collections.
    package let snapshots: [String: Snapshot]
    /// The answers that are kept under idempotency keys, oldest first.
    package let answers: [KeptAnswer]
}
