public import MedleyCore

/// The body of a PATCH of a collection.
public struct PatchBody: Hashable, Sendable {
    /// The revision that the client holds: the answer's changes start there.
    public var base: Revision?
    /// The revision that the collection must have.
    public var ifRevision: Revision?
    /// The changes, in order.
    public var changes: [Change]

    /// Creates a body.
    public init(base: Revision? = nil, ifRevision: Revision? = nil, changes: [Change]) {
        self.base = base
        self.ifRevision = ifRevision
        self.changes = changes
    }

    /// The body as JSON. O(bytes).
    public func encoded() -> [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "{")]
        ChangesAnswer.append("base", base, to: &output)
        ChangesAnswer.append("ifRevision", ifRevision, to: &output)
        output.append(contentsOf: "\"changes\":".utf8)
        ChangeEncoder.append(changes, to: &output)
        output.append(UInt8(ascii: "}"))
        return output
    }
}
