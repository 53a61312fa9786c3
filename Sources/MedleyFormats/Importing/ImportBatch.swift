import JSONText
public import MedleyCore

/// Items that are imported in one edit, and the changes that they come to.
public struct ImportBatch: Sendable {
    /// The most items of a batch.
    static let itemLimit = 2_000
    /// The bytes of models after which a batch is full.
    static let byteLimit = 1 << 20

    /// An item and where it comes from.
    public struct Entry: Sendable {
        /// The line on which its record begins.
        public let line: Int
        /// The item.
        public var item: ItemContent
        /// The section that a new item goes to; `nil` for an item that exists, which stays where it is.
        public var section: SectionID?
    }

    /// New sections, which come first, behind all that are there.
    public private(set) var newSections: [SectionContent] = []
    /// Changes that come next: other members of sections and of the collection.
    var preparations: [Change] = []
    /// The items in the file's order.
    public private(set) var entries: [Entry] = []
    private var byteCount = 0

    /// Whether there is nothing to send.
    public var isEmpty: Bool { entries.isEmpty && newSections.isEmpty && preparations.isEmpty }
    /// Whether it is time to send it.
    public var isFull: Bool { max(entries.count, newSections.count) >= Self.itemLimit || byteCount >= Self.byteLimit }

    /// Adds a new section behind all others.
    mutating func insert(_ section: SectionContent) {
        newSections.append(section)
        byteCount += section.members.bytes.count
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.item.model.bytes.count
    }

    /// Leaves an item out.
    public mutating func remove(at index: Int) {
        byteCount -= entries.remove(at: index).item.model.bytes.count
    }

    /// The section that a problem's pointer is about, such as `/changes/0/sections/17`.
    public func section(at pointer: String) -> SectionID? {
        let steps = pointer.split(separator: "/")
        guard steps.count >= 4, steps[0] == "changes", steps[2] == "sections", let change = Int(steps[1]),
            let index = Int(steps[3])
        else { return nil }
        let changes = changes().changes
        guard changes.indices.contains(change) else { return nil }
        switch changes[change].operation {
        case .insertSection(let sections, _), .updateSection(let sections):
            return sections.indices.contains(index) ? sections[index].id : nil
        default: return nil
        }
    }

    /// The line of the first item that goes into a section; `nil` if none does.
    public func line(of section: SectionID) -> Int? { entries.first { $0.section == section }?.line }

    /// Leaves out what is said of a section: one that exists stays as it is, a new one gets its title alone. Returns
    /// whether that is less than before.
    public mutating func strip(_ id: SectionID) -> Bool {
        var isLess = false
        for index in newSections.indices where newSections[index].id == id {
            let section = newSections[index]
            var members = JSONMembers.empty
            if let title = section.members.value(of: "title") { members.append(name: "title", value: title) }
            guard members.bytes.count < section.members.bytes.count else { continue }
            byteCount -= section.members.bytes.count - members.bytes.count
            newSections[index] = SectionContent(id: id, members: members)
            isLess = true
        }
        let count = preparations.count
        preparations.removeAll { change in
            guard case .updateSection(let sections) = change.operation else { return false }
            return sections.contains { $0.id == id }
        }
        return isLess || preparations.count < count
    }

    /// Two batches of half the items; the first has the sections.
    public func halves() -> (ImportBatch, ImportBatch) {
        var first = ImportBatch()
        var second = ImportBatch()
        for section in newSections { first.insert(section) }
        first.preparations = preparations
        for entry in entries.prefix(entries.count / 2) { first.append(entry) }
        for entry in entries.dropFirst(entries.count / 2) { second.append(entry) }
        return (first, second)
    }

    /// The changes, and for each of them which entries its items are.
    public func changes() -> (changes: [Change], origins: [[Int]]) {
        var changes = newSections.isEmpty ? [] : [Change(.insertSection(newSections, at: .last))]
        changes += preparations
        var origins = [[Int]](repeating: [], count: changes.count)
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
    public func entry(at pointer: String, _ origins: [[Int]]) -> Int? {
        let steps = pointer.split(separator: "/")
        guard steps.count >= 4, steps[0] == "changes", steps[2] == "items", let change = Int(steps[1]),
            let item = Int(steps[3]), origins.indices.contains(change), origins[change].indices.contains(item)
        else { return nil }
        return origins[change][item]
    }
}
