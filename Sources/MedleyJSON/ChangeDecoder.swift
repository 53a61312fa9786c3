import JSONText
public import MedleyCore

/// Reads changes from JSON, strictly: what the protocol does not know is refused.
///
/// Each method reads a whole body and is O(bytes). What needs a snapshot to judge (ids that exist, an id twice in a
/// list, types) is left to `Snapshot.applying(_:)`.
public struct ChangeDecoder: Sendable {
    private let makeID: @Sendable () -> ItemID
    private let rules: DocumentReader.Rules
    private let limits: ContentLimits

    /// The decoder of what a journal kept: content that was accepted once is taken at its word, whatever today's rules
    /// for ids, known members and nesting say. Another shape than a change's is refused all the same.
    package static let journal = ChangeDecoder(rules: .kept)

    private init(rules: DocumentReader.Rules) {
        makeID = { ItemID.random() }
        self.rules = rules
        limits = .none
    }

    /// Creates a decoder that gives an item without an id, in `insert` and `upsert`, one from `makeID`, and refuses more
    /// in the body of a PATCH than the limits admit.
    public init(
        limits: ContentLimits = .none, makeID: @escaping @Sendable () -> ItemID = { ItemID.random() }
    ) {
        self.limits = limits
        self.makeID = makeID
        rules = .request
    }

    /// Reads a list of changes, as the journal keeps it.
    public func changes(_ bytes: [UInt8]) throws(DecodingProblem) -> [Change] {
        try DocumentReader.read(bytes, makeID: makeID, rules: rules) { reader throws(DecodingProblem) in
            try reader.changes()
        }
    }

    /// Reads the body of a PATCH of a collection.
    public func patchBody(_ bytes: [UInt8]) throws(DecodingProblem) -> PatchBody {
        try DocumentReader.read(bytes, makeID: makeID, rules: rules, limits: limits) { reader throws(DecodingProblem) in
            try reader.beginObject("the body must be an object with changes")
            var body = PatchBody(changes: [])
            var hasChanges = false
            while let name = try reader.nextMember() {
                let text = name.string
                try reader.at(.member(text)) { reader throws(DecodingProblem) in
                    switch text {
                    case "base": body.base = try reader.revision()
                    case "ifRevision": body.ifRevision = try reader.revision()
                    case "changes":
                        hasChanges = true
                        body.changes = try reader.changes()
                    default:
                        throw reader.problem(.invalidChange, "the body can have base, ifRevision and changes only")
                    }
                }
            }
            if !hasChanges { throw reader.problem(.invalidChange, "the body must have changes") }
            return body
        }
    }

    /// Reads the body of a PATCH of one item: a merge patch (RFC 7396).
    public func itemPatch(_ bytes: [UInt8]) throws(DecodingProblem) -> ItemPatch {
        try DocumentReader.read(bytes, makeID: makeID, rules: rules) { reader throws(DecodingProblem) in
            reader.itemPatch(try reader.mergePatch("the body must be an object, a merge patch"))
        }
    }

    /// Reads an answer with changes; members that a newer server may add are passed over.
    public func changesAnswer(_ bytes: [UInt8]) throws(DecodingProblem) -> ChangesAnswer {
        try DocumentReader.read(bytes, makeID: makeID, rules: rules) { reader throws(DecodingProblem) in
            try reader.beginObject("the answer must be an object")
            var from: Revision?
            var to: Revision?
            var isReset = false
            var changes: [Change]?
            while let name = try reader.nextMember() {
                let text = name.string
                try reader.at(.member(text)) { reader throws(DecodingProblem) in
                    switch text {
                    case "from" where try reader.peek() != .null: from = try reader.revision()
                    case "to": to = try reader.revision()
                    case "reset": isReset = try reader.boolIfAny() == true
                    case "changes": changes = try reader.changes()
                    default: try reader.skipValue()
                    }
                }
            }
            guard let to else { throw reader.problem(.invalidRevision, "the answer must have to, a revision") }
            return ChangesAnswer(from: from, to: to, isReset: isReset, changes: changes)
        }
    }
}

extension DocumentReader {
    /// Reads a revision.
    mutating func revision() throws(DecodingProblem) -> Revision {
        guard let revision = try stringIfAny().flatMap({ Revision($0.string) }) else {
            throw problem(.invalidRevision, "a revision is a string such as \"k3f9a2b1-42\"")
        }
        return revision
    }
}
