import JSONText
public import MedleyCore

/// The answer to a request for changes, and to every edit.
public struct ChangesAnswer: Hashable, Sendable {
    /// The revision that the changes start at; `nil` in a reset.
    public var from: Revision?
    /// The revision that they lead to.
    public var to: Revision
    /// Whether everything held is to be dropped first.
    public var isReset: Bool
    /// The changes; `nil` if the client did not want them (`Prefer: return=minimal`) or they would be too long.
    public var changes: [Change]?

    /// Creates an answer.
    public init(from: Revision?, to: Revision, isReset: Bool = false, changes: [Change]?) {
        self.from = from
        self.to = to
        self.isReset = isReset
        self.changes = changes
    }

    /// The answer as JSON. O(bytes).
    public func encoded() -> [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    /// Appends the answer as JSON. O(bytes).
    public func append(to output: inout [UInt8]) {
        Self.appendOpening(from: from, to: to, isReset: isReset, to: &output)
        if let changes {
            JSONWriter.append(token: ",\"changes\":", to: &output)
            ChangeEncoder.append(changes, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends an answer whose changes are encoded already, as a list.
    public static func append(
        from: Revision?, to: Revision, isReset: Bool, encodedChanges: [UInt8], to output: inout [UInt8]
    ) {
        appendOpening(from: from, to: to, isReset: isReset, to: &output)
        JSONWriter.append(token: ",\"changes\":", to: &output)
        output.append(contentsOf: encodedChanges)
        output.append(UInt8(ascii: "}"))
    }

    private static func appendOpening(from: Revision?, to: Revision, isReset: Bool, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        append("from", from, to: &output)
        if from == nil { JSONWriter.append(token: "\"from\":null,", to: &output) }
        JSONWriter.append(token: "\"to\":", to: &output)
        JSONWriter.append(string: to.description, to: &output)
        if isReset { JSONWriter.append(token: ",\"reset\":true", to: &output) }
    }

    /// Appends a member with its comma if there is a revision.
    static func append(_ name: String, _ revision: Revision?, to output: inout [UInt8]) {
        guard let revision else { return }
        JSONWriter.append(string: name, to: &output)
        output.append(UInt8(ascii: ":"))
        JSONWriter.append(string: revision.description, to: &output)
        output.append(UInt8(ascii: ","))
    }
}
