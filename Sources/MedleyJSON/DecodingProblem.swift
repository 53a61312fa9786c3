/// Why a body was refused before anything of it was applied.
public struct DecodingProblem: Error, Hashable, Sendable {
    /// What is wrong; the raw value is the protocol's code.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No JSON (RFC 8259), or nested too deeply.
        case malformedJSON = "malformed-json"
        /// A body or a change of another shape than the protocol's.
        case invalidChange = "invalid-change"
        /// `base` or `ifRevision` that is no revision.
        case invalidRevision = "invalid-revision"
        /// A member of an item, a section or a collection that has the wrong kind or form.
        case invalidItem = "invalid-item"
        /// An id twice in one snapshot.
        case duplicateID = "duplicate-id"
        /// A collection's id that is no string.
        case invalidID = "invalid-id"
        /// More changes, or more items, ids and sections, than one request may have.
        case contentTooLarge = "content-too-large"
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong, for a person.
    public let detail: String
    /// The value that is wrong, or the object that lacks one, as a JSON pointer (RFC 6901); `nil` in malformed JSON.
    public let pointer: String?
    /// The offset of the fault in malformed JSON, in bytes.
    public let offset: Int?
    /// The limit that was passed, if one was.
    public let limit: Int?

    /// Creates a problem.
    public init(_ code: Code, _ detail: String, pointer: String? = nil, offset: Int? = nil, limit: Int? = nil) {
        self.code = code
        self.detail = detail
        self.pointer = pointer
        self.offset = offset
        self.limit = limit
    }
}
