import JSONText
package import MedleyCore

/// Why a checkpoint cannot be brought back.
package struct CheckpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for a person.
    package let message: String
    /// Where in the piece, in bytes from its start; `nil` if it is not the text that is wrong.
    package let offset: Int?

    /// Creates an error.
    package init(_ message: String, offset: Int? = nil) {
        self.message = message
        self.offset = offset
    }

    /// Creates the error of something that no snapshot can hold.
    package init(_ error: RestoreError) { self.init(error.message) }

    init(_ error: JSONSyntaxError) { self.init(error.message, offset: error.offset) }

    /// The message and, if it is known, the place.
    package var description: String { offset.map { "\(message), at byte \($0)" } ?? message }
}
