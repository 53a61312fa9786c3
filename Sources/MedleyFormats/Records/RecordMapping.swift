public import MedleyCore

/// How a file's records become items: what `medley import` is told by `--type`, `--section`, `--map` and `--id`.
public struct RecordMapping: Hashable, Sendable {
    /// A member that gets a field's value.
    public struct Member: Hashable, Sendable {
        /// The item's member, UTF-8.
        public let target: [UInt8]
        /// The file's field, UTF-8.
        public let source: [UInt8]

        /// Creates an entry.
        public init(target: [UInt8], source: [UInt8]) {
            self.target = target
            self.source = source
        }
    }

    /// The type of new items where neither an option nor the record says one: `item`.
    public static let defaultType = ItemType("item")

    /// The type of every item; `nil` takes the record's own `type` where it is of the form.
    public var type: ItemType?
    /// The field whose value groups the items into sections.
    public var section: [UInt8]?
    /// The members that are renamed; of several with one target the first that has a fitting value counts.
    public var members: [Member]
    /// The fields that make the id; empty takes the record's own `id`, else one derived from what tells an item from
    /// others, else from all that the record says.
    public var idFields: [[UInt8]]

    /// Creates a mapping.
    public init(
        type: ItemType? = nil, section: [UInt8]? = nil, members: [Member] = [], idFields: [[UInt8]] = []
    ) {
        self.type = type
        self.section = section
        self.members = members
        self.idFields = idFields
    }

    /// Every field that is named, in the order of the options, none twice.
    public var namedFields: [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return (idFields + (section.map { [$0] } ?? []) + members.map(\.source)).filter { seen.insert($0).inserted }
    }

    /// Checks the named fields against a header's columns; throws `unknownField`.
    public func check(columns: [[UInt8]]) throws(FormatError) {
        guard let missing = namedFields.first(where: { !columns.contains($0) }) else { return }
        let known = columns.prefix(40).map { "\"\(String(decoding: $0, as: UTF8.self))\"" }.joined(separator: ", ")
        throw FormatError(
            .unknownField, "no column \"\(String(decoding: missing, as: UTF8.self))\"; the columns are \(known)")
    }
}

extension RecordMapping {
    /// Reads a list of field names as an option's value states it: separated by commas, and a name with a comma in
    /// double quotes, as in a table.
    ///
    /// Throws `malformed` with a message for the user.
    public static func fields(option text: String) throws(FormatError) -> [[UInt8]] {
        // Each record is looked through for each name.
        guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) < maximumNames else {
            throw FormatError(.malformed, "more than \(maximumNames) names")
        }
        var parser = CSVParser(ByteReader(Array(text.utf8)))
        guard let row = try parser.next(), row.problem == nil, try parser.next() == nil,
            !row.cells.contains(where: \.isEmpty)
        else { throw FormatError(.malformed, "not a list of field names: \(text)") }
        return row.cells
    }

    /// The most names in one list; an item has no more members.
    private static let maximumNames = 256

    /// Reads `target=source` pairs separated by commas; a pair with a comma stands in double quotes, as in a table.
    ///
    /// Throws `malformed` with a message for the user.
    public static func members(option text: String) throws(FormatError) -> [Member] {
        var members: [Member] = []
        for pair in try fields(option: text) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > 0, equals + 1 < pair.count else {
                throw FormatError(.malformed, "not MEMBER=FIELD: \(String(decoding: pair, as: UTF8.self))")
            }
            let target = Array(pair[..<equals])
            if target == Array("id".utf8) {
                throw FormatError(
                    .malformed,
                    "the id is not mapped; say --id \(String(decoding: pair[(equals + 1)...], as: UTF8.self))")
            }
            members.append(Member(target: target, source: Array(pair[(equals + 1)...])))
        }
        return members
    }
}
