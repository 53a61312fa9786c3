public import MedleyCore

/// Which of the file's items and sections follow which, and where they stand without it.
struct ImportOrder: Sendable {
    /// An item of a section.
    private struct Entry {
        let id: ItemID
        /// Where it stands in the section; `nil` if it is new, or in another one.
        let index: Int?
        let isNew: Bool
    }

    /// Items that are not to be moved after all.
    var dropped: Set<ItemID> = []
    /// The sections that the file names, in its order.
    private var sections: [SectionID] = []
    private var named: Set<SectionID> = []
    /// The sections of the file's items, whether it names them or not.
    private var holders: [SectionID] = []
    private var entries: [SectionID: [Entry]] = [:]

    /// New sections stand behind all others.
    private static let behindAll = 1 << 40
    /// The most ids of one change.
    private static let idLimit = 5_000

    /// Adds a section that the file names, if it has not named it before.
    mutating func add(_ section: SectionID) {
        if named.insert(section).inserted { sections.append(section) }
    }

    /// Adds an item that exists, which belongs in the section that the file states, else where it is. Of the order of
    /// sections that the file does not name it says nothing.
    mutating func add(_ id: ItemID, _ stated: SectionID?, _ place: (section: SectionID, index: Int)?) {
        guard let place else { return }
        let section = stated ?? place.section
        append(Entry(id: id, index: place.section == section ? place.index : nil, isNew: false), to: section)
    }

    /// Adds an item that is new and last in its section.
    mutating func add(new id: ItemID, _ section: SectionID) {
        append(Entry(id: id, index: nil, isNew: true), to: section)
    }

    private mutating func append(_ entry: Entry, to section: SectionID) {
        if entries[section] == nil { holders.append(section) }
        entries[section, default: []].append(entry)
    }

    /// The moves that give the sections that the file names, then the items of each section, the file's order: as few as
    /// can be, of the file's own only.
    ///
    /// O(n log n) for n items of the file. What is gone meanwhile is passed over.
    func moves(among known: [SectionID]) -> [Change] {
        let places = Dictionary(known.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let order = sections.enumerated().map { places[$0.element] ?? Self.behindAll + $0.offset }
        var changes = runs(order).map { run -> Change in
            let ids = Array(sections[run.range])
            let place: SectionPlace =
                run.range.lowerBound > 0 ? .after(sections[run.range.lowerBound - 1]) : .before(sections[run.next])
            return Change(.moveSection(ids, to: place), ignoresMissing: true)
        }
        for section in holders { changes += moves(in: section) }
        return changes
    }

    private func moves(in section: SectionID) -> [Change] {
        let list = (entries[section] ?? []).filter { !dropped.contains($0.id) }
        // They came in the file's order, and nothing is there to stand beside.
        if list.allSatisfy(\.isNew) { return [] }
        var changes: [Change] = []
        for run in runs(list.map(\.index)) {
            var place: Place
            if run.range.lowerBound > 0 {
                place = .after(list[run.range.lowerBound - 1].id, section: section)
            } else {
                place = run.next < list.count ? .before(list[run.next].id, section: section) : .last(in: section)
            }
            var rest = list[run.range].map(\.id)[...]
            while !rest.isEmpty {
                let ids = Array(rest.prefix(Self.idLimit))
                changes.append(Change(.move(ids, to: place), ignoresMissing: true))
                place = ids.last.map { .after($0, section: section) } ?? place
                rest = rest.dropFirst(ids.count)
            }
        }
        return changes
    }

    /// The runs that must move, with the index of what follows each; what is in order already stays.
    private func runs(_ places: [Int?]) -> [(range: Range<Int>, next: Int)] {
        let known = places.indices.filter { places[$0] != nil }
        let staying = Set(longestIncreasingSubsequence(known.compactMap { places[$0] }).map { known[$0] })
        var runs: [(range: Range<Int>, next: Int)] = []
        var index = 0
        while index < places.count {
            let start = index
            while index < places.count, !staying.contains(index) { index += 1 }
            if index > start { runs.append((start..<index, index)) }
            index += 1
        }
        return runs
    }
}

extension ImportPlan {
    /// The most ids of one deletion.
    private static let idLimit = 5_000

    /// What is left to do when all batches are sent: deletions, then moves, each change of a bounded number of ids.
    ///
    /// - Parameter isWhole: whether the file was read to its end without a record that cannot be read; else nothing is
    ///   deleted, since nobody knows what the file has. Nor is it if the file has no record at all: that is what is left
    ///   of a download that failed, rather than the wish to delete everything.
    public func closing(isWhole: Bool) -> [Change] {
        var changes: [Change] = []
        if options.prunes, isWhole, !seen.isEmpty {
            var gone = target.items { seen.contains($0) }[...]
            while !gone.isEmpty {
                changes.append(Change(.delete(Array(gone.prefix(Self.idLimit))), ignoresMissing: true))
                gone = gone.dropFirst(Self.idLimit)
            }
        }
        if options.takesSourceOrder { changes += order.moves(among: target.sections.map(\.id)) }
        return changes
    }

    /// Whether nothing is deleted because the file, read to its end, has no record, although there are items.
    public var sparesAll: Bool { options.prunes && seen.isEmpty && !target.isEmpty }
}
