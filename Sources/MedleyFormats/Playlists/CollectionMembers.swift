import JSONText
import MedleyCore

/// The members of a collection in the making, no name twice, none that the service makes itself, no
/// value that nests too deep, a title that is text, and no more than a collection may have.
struct CollectionMembers {
    private static let title = Array("title".utf8)
    private static let reserved: Set<String> = ["id", "revision", "counts", "types", "sections"]

    private(set) var members = JSONMembers.empty
    /// Whether something was left out because there would be more than a collection may have.
    private(set) var isOverfull = false
    private var names: Set<[UInt8]> = []

    /// Adds a member, its value compact JSON; returns whether it could be added. A title that is no text is kept as
    /// `titleText`.
    @discardableResult
    mutating func append(name: [UInt8], value: [UInt8]) -> Bool {
        let isMisfit = name == Self.title && value.first != UInt8(ascii: "\"")
        let name = isMisfit ? name + Array("Text".utf8) : name
        guard !Self.reserved.contains(String(decoding: name, as: UTF8.self)),
            ImportedRecord.Value.json(value).fitsItem, !names.contains(name)
        else { return false }
        let nameText = name.jsonString
        // Room is left for the title, which an import gives to what has none.
        let hasTitle = names.contains(Self.title) || name == Self.title
        guard names.count < Snapshot.maximumMembers - (hasTitle ? 0 : 1),
            members.bytes.count + nameText.count + value.count + 2
                <= Snapshot.maximumMembersByteCount - (hasTitle ? 0 : 1_024)
        else {
            isOverfull = true
            return false
        }
        names.insert(name)
        members.append(nameText: nameText, value: value)
        return true
    }
}
