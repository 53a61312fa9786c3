import JSONText
public import MedleyCore

/// The answer to a request for items by their ids.
public struct ItemsAnswer: Hashable, Sendable {
    /// The revision that they are of.
    public var revision: Revision
    /// The items that there are, in the order asked.
    public var items: [ItemContent]
    /// The ids that no item has.
    public var missing: [ItemID]

    /// Creates an answer.
    public init(revision: Revision, items: [ItemContent], missing: [ItemID] = []) {
        self.revision = revision
        self.items = items
        self.missing = missing
    }

    /// Reads an answer; members that a newer server may add are passed over. O(bytes).
    public init(decoding bytes: [UInt8]) throws(DecodingProblem) {
        self = try DocumentReader.read(bytes, makeID: { ItemID.random() }) { reader throws(DecodingProblem) in
            try reader.itemsAnswer()
        }
    }
}

extension DocumentReader {
    fileprivate mutating func itemsAnswer() throws(DecodingProblem) -> ItemsAnswer {
        try beginObject("the answer must be an object")
        var revision: Revision?
        var items: [ItemContent] = []
        var missing: [ItemID] = []
        while let name = try nextMember() {
            let text = name.string
            try at(.member(text)) { reader throws(DecodingProblem) in
                switch text {
                case "revision": revision = try reader.revision()
                case "items":
                    items = try reader.list("items must be a list") { reader throws(DecodingProblem) in
                        let item = try reader.item()
                        guard let id = item.id else { throw reader.problem(.invalidItem, "an item must have an id") }
                        return ItemContent(id: id, type: item.type, liked: item.liked, model: item.model)
                    }
                case "missing":
                    missing = try reader.list("missing must be a list") { reader throws(DecodingProblem) in
                        guard let id = try reader.stringIfAny().flatMap({ ItemID(validating: $0.utf8) }) else {
                            throw reader.problem(.invalidItem, "an id must be a string")
                        }
                        return id
                    }
                default: try reader.skipValue()
                }
            }
        }
        guard let revision else { throw problem(.invalidRevision, "the answer must have a revision") }
        return ItemsAnswer(revision: revision, items: items, missing: missing)
    }
}
