import JSONText
public import MedleyCore

/// One record of a file as the file has it: fields in the file's order, before any mapping.
public struct ImportedRecord: Hashable, Sendable {
    /// A field's value.
    public enum Value: Hashable, Sendable {
        /// Text, UTF-8: what a table's cell holds.
        case text([UInt8])
        /// Any JSON value, compact, as its source wrote it.
        case json([UInt8])
    }

    /// A named value.
    public struct Field: Hashable, Sendable {
        /// The name, UTF-8, decoded.
        public let name: [UInt8]
        /// The name as JSON text, with quotes, as its source wrote it.
        public let nameText: [UInt8]
        /// The value.
        public let value: Value

        /// Creates a field.
        public init(name: [UInt8], nameText: [UInt8], value: Value) {
            self.name = name
            self.nameText = nameText
            self.value = value
        }
    }

    /// The most bytes that a record may have in its file.
    static let byteLimit = 16 << 20

    /// The line, from 1, on which the record begins.
    public let line: Int
    /// The fields in the file's order, no name twice; a table's empty cells are left out.
    public let fields: [Field]
    /// The section that the file puts the record in, if its format has sections.
    public let section: SectionContent?
    /// What tells the medium from others in its format, UTF-8: where it lies, or what it is called. It becomes the id
    /// where neither the mapping nor a field states one, so that the same entry gets the same id in the next import.
    public let identity: [UInt8]?
    /// The type that the format gives the item, if neither a mapping nor a field does: `music` for an audio file.
    public let impliedType: ItemType?
    /// Whether less is known of it than another time: then it says nothing against an item that exists.
    public let isPartial: Bool
    /// The id that it has if it was told apart from another of its id before, which is not in the file any more.
    public let formerID: ItemID?

    /// Creates a record.
    public init(
        line: Int, fields: [Field], section: SectionContent? = nil, identity: [UInt8]? = nil,
        impliedType: ItemType? = nil, isPartial: Bool = false, formerID: ItemID? = nil
    ) {
        self.line = line
        self.fields = fields
        self.section = section
        self.identity = identity
        self.impliedType = impliedType
        self.isPartial = isPartial
        self.formerID = formerID
    }

    /// The field of a name. O(fields).
    public func field(named name: [UInt8]) -> Field? {
        fields.first { $0.name == name }
    }
}

/// A record that cannot be imported, and why.
public struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1, on which the record begins.
    public let line: Int
    /// Why, for people.
    public let reason: String

    /// Creates a refusal.
    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// The line and the reason in one line.
    public var description: String { "line \(line): \(reason)" }
}

/// Something that was not taken over as it stands, though nothing was refused.
public struct ImportNotice: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// What it was; the same words for the same kind of thing, so that they can be counted.
    public let message: String
    /// Whether there may be records that nobody saw, so that what is not among those that were read may be there yet.
    public let hidesRecords: Bool

    /// Creates a notice.
    public init(line: Int, message: String, hidesRecords: Bool = false) {
        self.line = line
        self.message = message
        self.hidesRecords = hidesRecords
    }
}

extension ImportedRecord {
    /// A record from a JSON object's members. O(bytes).
    init(line: Int, members: JSONMembers, section: SectionContent? = nil) {
        let fields = members.map {
            Field(name: Array($0.name.utf8), nameText: Array($0.name.text), value: .json(Array($0.value)))
        }
        self.init(line: line, fields: fields, section: section)
    }
}
