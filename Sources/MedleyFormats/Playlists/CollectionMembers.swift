import JSONText

/// The members of a collection in the making, no name twice, none that the service makes itself, no
/// value that nests too deep.
struct CollectionMembers {
    /// The most bytes of text; what would go beyond is left out.
    private static let limit = 1 << 20
    private static let reserved: Set<String> = ["id", "revision", "counts", "types", "sections"]

    private(set) var members = JSONMembers.empty
    private var names: Set<[UInt8]> = []

    /// Adds a member, its value compact JSON; returns whether it could be added.
    @discardableResult
    mutating func append(name: [UInt8], value: [UInt8]) -> Bool {
        guard members.bytes.count + name.count + value.count < Self.limit,
            !Self.reserved.contains(String(decoding: name, as: UTF8.self)),
            ImportedRecord.Value.json(value).fitsItem, names.insert(name).inserted
        else { return false }
        members.append(nameText: name.jsonString, value: value)
        return true
    }
}
