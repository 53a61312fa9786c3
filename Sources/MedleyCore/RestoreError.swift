/// Why no snapshot can be made of what was handed to a `SnapshotRestorer`.
package struct RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for a person.
    package let message: String

    /// Creates an error.
    package init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { message }

    /// Throws unless a condition holds.
    static func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(RestoreError) {
        guard condition else { throw RestoreError(message()) }
    }
}
