/// Why a file cannot be read any further.
///
/// What is wrong with one record is no `FormatError` but an `ImportRefusal`: the rest of the file is still read.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: String, Hashable, Sendable {
        /// No file of that name.
        case notFound
        /// A directory, not a file.
        case directory
        /// The file cannot be opened or read.
        case unreadable
        /// The file has no records at all.
        case empty
        /// The file is no text.
        case binary
        /// The file is text, but not UTF-8.
        case notUTF8
        /// The text is not of its format, so that what follows cannot be told.
        case malformed
        /// The file is of a kind that cannot be imported.
        case unsupported
        /// One record takes more than the memory set aside for one.
        case tooLarge
        /// A field is asked for that the file does not have.
        case unknownField
    }

    /// What is wrong.
    public let code: Code
    /// For people; names the line where there is one.
    public let message: String
    /// The line, from 1, where it is known.
    public let line: Int?
    /// What the system said, if it said something.
    public let cause: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, line: Int? = nil, cause: String? = nil) {
        self.code = code
        self.message = message
        self.line = line
        self.cause = cause
    }

    /// The line, the message and the cause in one line.
    public var description: String {
        var text = line.map { "line \($0): " } ?? ""
        text += message
        if let cause { text += " (\(cause))" }
        return text
    }
}
