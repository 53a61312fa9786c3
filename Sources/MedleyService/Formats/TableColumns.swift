import MedleyCore
import MedleyFormats

/// What a table's columns are made of.
enum TableColumns {
    /// The most members that items of a table may have between them. No spreadsheet takes more columns, and each row has a
    /// separator for each of them.
    static let most = 16_384

    /// The names of all members of the items in the sections that pass; `nil` if there are too many.
    ///
    /// O(bytes of the items) the first time, and O(leaves and edited items) from then on. May take seconds: not for a loop,
    /// unless the snapshot is small.
    static func names(of snapshot: Snapshot, filter: ItemFilter) -> [[UInt8]]? {
        var list = MemberNameList()
        var last: [[UInt8]] = []
        for section in snapshot.orderedSections where filter.admits(section.id) {
            var index = 0
            while index < section.count {
                let leaf = section.leaf(at: index)
                index = leaf.startIndex + leaf.count
                let names = LeafEncoding.of(leaf).memberNames(of: leaf, like: last)
                if names == last { continue }
                last = names
                list.add(names)
                if list.count > most { return nil }
            }
        }
        return list.names
    }
}
