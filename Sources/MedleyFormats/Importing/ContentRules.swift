import JSONText
import MedleyCore

/// What the protocol asks of items and sections beyond their form, whatever format they come from: what nests deeper could
/// be stored, and no client could read it.
struct ContentRules {
    /// The section that was looked at last; most items have the one of the item before.
    private var last: SectionContent?

    /// Why an item cannot be taken; `nil` if it can. O(bytes).
    mutating func problem(of item: MappedItem) -> String? {
        guard Self.fits(item.content.model) else {
            return "the item nests deeper than \(ImportedEntry.maximumDepth) objects and arrays"
        }
        guard let section = item.section, section != last else { return nil }
        return problem(of: section)
    }

    /// Why a section cannot be taken; `nil` if it can. O(bytes).
    mutating func problem(of section: SectionContent) -> String? {
        guard Self.fits(section.members) else {
            return "the section \"\(section.id)\" nests deeper than \(ImportedEntry.maximumDepth) objects and arrays"
        }
        last = section
        return nil
    }

    /// Whether members nest no deeper than those of an item may.
    private static func fits(_ members: JSONMembers) -> Bool {
        // Brackets within texts are counted too, so that this is a first look only.
        var count = 0
        for byte in members.bytes where byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { count += 1 }
        guard count >= ImportedEntry.maximumDepth else { return true }
        return members.allSatisfy { ImportedRecord.Value.json(Array($0.value)).fitsItem }
    }
}
