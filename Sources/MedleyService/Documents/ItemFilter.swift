import HTTPCore
import MedleyCore
import MedleyFormats

/// Which items an answer lists: the parameters `section`, `type` and `liked`.
struct ItemFilter: Sendable {
    private let sections: Set<SectionID>?
    private let types: Set<ItemType>?
    private let liked: Bool?

    /// Reads the parameters; what names nothing that exists admits nothing.
    init(_ query: Query) throws(Problem) {
        sections = try query.list("section").map { Set($0.map { SectionID($0) }) }
        types = try query.list("type").map { Set($0.compactMap { ItemType($0) }) }
        liked = try query.bool("liked")
    }

    private init(type: ItemType) {
        sections = nil
        types = [type]
        liked = nil
    }

    /// The items of a type.
    static func type(_ type: ItemType) -> ItemFilter { ItemFilter(type: type) }

    /// Whether every item passes.
    var isEmpty: Bool { sections == nil && types == nil && liked == nil }

    /// Whether every item of the sections that pass does.
    var admitsWholeSections: Bool { types == nil && liked == nil }

    /// Whether a section's items can pass.
    func admits(_ section: SectionID) -> Bool { sections?.contains(section) ?? true }

    /// Whether an item passes.
    func admits(_ item: Item) -> Bool {
        if let liked, item.liked != liked { return false }
        if let types, !types.contains(item.type) { return false }
        return admits(item.section)
    }

    /// The same for an export.
    var exported: ExportFilter {
        var filter = ExportFilter()
        if sections != nil { filter.section = { (section: SectionID) in self.admits(section) } }
        if !admitsWholeSections { filter.item = { (item: Item) in self.admits(item) } }
        return filter
    }
}
