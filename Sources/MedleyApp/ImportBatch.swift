import JSONText
import MedleyCore
import MedleyFormats

/// Items that go to the server in one PATCH, and the changes that they come to.
struct ImportBatch {
    /// The most items of a batch.
    static let itemLimit = 500
    /// The bytes of models after which a batch is full.
    static let byteLimit = 1 << 20

    /// An item and where it comes from.
    struct Entry {
        let line: Int
        var item: ItemContent
        /// The section that a new item goes to; `nil` for an item that exists, which stays where it is.
        var section: SectionID?
    }

    /// Changes that come first: sections and the collection's members.
    var preparations: [Change] = []
    private(set) var entries: [Entry] = []
    private var byteCount = 0

    var isEmpty: Bool { entries.isEmpty && preparations.isEmpty }
    var isFull: Bool { entries.count >= Self.itemLimit || byteCount >= Self.byteLimit }

    /// Adds a new section behind all others.
    mutating func insert(_ section: SectionContent) {
        if case .insertSection(let sections, .last)? = preparations.last?.operation {
            preparations[preparations.count - 1] = Change(.insertSection(sections + [section], at: .last))
        } else {
            preparations.append(Change(.insertSection([section], at: .last)))
        }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.item.model.bytes.count
    }

    mutating func remove(at index: Int) {
        byteCount -= entries.remove(at: index).item.model.bytes.count
    }

    /// Two batches of half the items; the first has the preparations.
    func halves() -> (ImportBatch, ImportBatch) {
        var first = ImportBatch()
        var second = ImportBatch()
        first.preparations = preparations
        for entry in entries.prefix(entries.count / 2) { first.append(entry) }
        for entry in entries.dropFirst(entries.count / 2) { second.append(entry) }
        return (first, second)
    }

    /// The changes, and for each of them which entries its items are.
    func changes() -> (changes: [Change], origins: [[Int]]) {
        var changes = preparations
        var origins = [[Int]](repeating: [], count: preparations.count)
        var order: [SectionID] = []
        var new: [SectionID: [Int]] = [:]
        var existing: [Int] = []
        for (index, entry) in entries.enumerated() {
            guard let section = entry.section else {
                // A collection that was read without models says nothing of an item; it must not empty the one that is there.
                if !entry.item.model.isEmpty || entry.item.liked != nil { existing.append(index) }
                continue
            }
            if new[section] == nil { order.append(section) }
            new[section, default: []].append(index)
        }
        if !existing.isEmpty {
            changes.append(Change(.upsert(existing.map { entries[$0].item }, at: nil)))
            origins.append(existing)
        }
        for section in order {
            let indices = new[section] ?? []
            changes.append(Change(.upsert(indices.map { entries[$0].item }, at: .last(in: section))))
            origins.append(indices)
        }
        return (changes, origins)
    }

    /// The entry that a problem's pointer is about, such as `/changes/2/items/17/title`.
    func entry(at pointer: String, _ origins: [[Int]]) -> Int? {
        let steps = pointer.split(separator: "/")
        guard steps.count >= 4, steps[0] == "changes", steps[2] == "items", let change = Int(steps[1]),
            let item = Int(steps[3]), origins.indices.contains(change), origins[change].indices.contains(item)
        else { return nil }
        return origins[change][item]
    }
}
