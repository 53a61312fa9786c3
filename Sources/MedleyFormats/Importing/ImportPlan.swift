import JSONText
public import MedleyCore

/// What a file's items and sections come to as changes of a collection: a value without I/O, for the command, which sends
/// batch after batch, and for the service, which applies all of it as one edit.
///
/// An item that exists keeps its place and its like and gets the file's model; a new one comes last in its section, in
/// the file's order. `Options` has what is different when it is asked for.
public struct ImportPlan: Sendable {
    /// What is done beyond inserting and updating.
    public struct Options: Hashable, Sendable {
        /// Whether the file's items and sections get the file's order among themselves.
        public var takesSourceOrder: Bool
        /// Whether items that the file does not have are deleted.
        public var prunes: Bool

        /// Creates options; by default nothing is moved and nothing deleted.
        public init(takesSourceOrder: Bool = false, prunes: Bool = false) {
            self.takesSourceOrder = takesSourceOrder
            self.prunes = prunes
        }
    }

    /// What is to be sent next.
    public private(set) var batch = ImportBatch()

    let options: Options
    let target: ImportTarget
    /// The items of the file, if items that it does not have are deleted.
    private(set) var seen: Set<ItemID> = []
    /// The file's items by section and its sections, in its order, if that is taken.
    var order = ImportOrder()

    private var exists: Bool
    private var isNew = false
    private var members: JSONMembers
    private var types: Set<ItemType>
    private var sections: [SectionID: JSONMembers]
    private var defaultSection: SectionID?

    /// Starts a plan for a collection. O(sections), or O(items) for an outline.
    public init(into target: ImportTarget, _ options: Options = Options()) {
        self.target = target
        self.options = options
        exists = target.exists
        members = target.members
        types = target.types
        sections = Dictionary(target.sections.map { ($0.id, $0.members) }) { first, _ in first }
        defaultSection = target.sections.last?.id
    }

    /// Takes what the file has next. O(1), expected, and O(log n) where the file's order is taken.
    ///
    /// Throws the refusal of an item that the collection cannot take.
    public mutating func take(_ step: ImportReading.Step) throws(ImportRefusal) {
        switch step {
        case .item(let item): try take(item)
        case .section(let section, let isEdited):
            name(section)
            prepare(section, isEdited: isEdited)
        case .collection(let own): take(own)
        case .nothing: break
        }
    }

    /// The batch, and another one begins.
    public mutating func takeBatch() -> ImportBatch {
        defer { batch = ImportBatch() }
        return batch
    }

    /// Whether an item was not there before.
    public func isNew(_ id: ItemID) -> Bool { target.type(of: id) == nil }

    /// Forgets an item that was refused when it was sent.
    public mutating func drop(_ id: ItemID) { order.dropped.insert(id) }

    private mutating func take(_ mapped: MappedItem) throws(ImportRefusal) {
        var item = mapped.content
        if let former = mapped.formerID, target.type(of: former) != nil { item.id = former }
        // First, since what is refused is in the file nevertheless.
        if options.prunes { seen.insert(item.id) }
        guard item.model.bytes.count <= Snapshot.maximumModelByteCount else {
            throw ImportRefusal(
                line: mapped.line, reason: "the item has more than \(Snapshot.maximumModelByteCount >> 20) MiB")
        }
        if let type = target.type(of: item.id) {
            if let wanted = item.type, wanted != type {
                throw ImportRefusal(
                    line: mapped.line,
                    reason: "an item \"\(item.id)\" of the type \(type) exists, and a type never changes")
            }
            item.type = type
            if mapped.isPartial { (item.model, item.liked) = (.empty, nil) }
            if options.takesSourceOrder {
                order.add(item.id, mapped.section?.id, target.place(of: item.id))
                if let section = mapped.section {
                    name(section)
                    prepare(section)
                }
            }
            batch.append(.init(line: mapped.line, item: item, section: nil))
            return
        }
        let type = item.type ?? mapped.impliedType ?? RecordMapping.defaultType
        guard let type, types.contains(type) || types.count < Snapshot.maximumTypes else {
            throw ImportRefusal(
                line: mapped.line, reason: "a collection has at most \(Snapshot.maximumTypes) types of items")
        }
        types.insert(type)
        item.type = type
        let section =
            mapped.section
            ?? SectionContent(
                id: defaultSection ?? Self.items.id, members: defaultSection == nil ? Self.items.members : .empty)
        if mapped.section != nil { name(section) }
        prepare(section)
        if defaultSection == nil, mapped.section == nil { defaultSection = section.id }
        if options.takesSourceOrder { order.add(new: item.id, section.id) }
        batch.append(.init(line: mapped.line, item: item, section: section.id))
    }

    /// The section of new items where there is none yet and nothing names one.
    private static let items = SectionContent(
        id: "items", members: JSONMembers(trusted: Array(#""title":"Items""#.utf8)))

    /// Notes that the file names a section, whose place is then the file's.
    private mutating func name(_ section: SectionContent) {
        if options.takesSourceOrder { order.add(section.id) }
    }

    /// Makes sure that a section exists. One that is there keeps its members, which people may have edited since, unless
    /// the file is what they edited: a snapshot.
    private mutating func prepare(_ section: SectionContent, isEdited: Bool = false) {
        guard let known = sections[section.id] else {
            sections[section.id] = section.members
            batch.insert(section)
            return
        }
        if isEdited, !known.hasSameMembers(as: section.members) {
            sections[section.id] = section.members
            batch.preparations.append(Change(.updateSection([section])))
        }
    }

    /// Takes over the collection's own members, as far as they are not what they are already.
    ///
    /// A collection that was there before keeps its title: a playlist that is brought into it does not rename it.
    private mutating func take(_ own: JSONMembers) {
        guard exists else {
            // As a merge patch into nothing, which leaves no null.
            members = Self.patch(own.map { $0 })?.applied(to: .empty) ?? own
            return
        }
        let known = Dictionary(members.map { ($0.name.utf8, $0.value) }) { first, _ in first }
        let changed = own.filter { member in
            (isNew || !member.name.equals("title")) && known[member.name.utf8] != member.value
        }
        if !changed.isEmpty, let patch = Self.patch(changed) {
            batch.preparations.append(Change(.updateCollection(patch)))
        }
    }

    private static func patch(_ members: [JSONMembers.Member]) -> JSONMergePatch? {
        var all = JSONMembers.empty
        for member in members { all.append(nameText: member.name.text, value: member.value) }
        var scanner = JSONScanner([UInt8(ascii: "{")] + all.bytes + [UInt8(ascii: "}")])
        return try? JSONMergePatch(from: &scanner)
    }
}

// A collection that is not there yet.
extension ImportPlan {
    /// The collection to make before the batch is sent, without sections; `nil` if it is there, or if there is nothing to
    /// make one for. It is titled `name` if the file has no title for it.
    public mutating func creation(named name: String) -> SnapshotContent? {
        guard !exists, !batch.isEmpty || !members.isEmpty else { return nil }
        exists = true
        isNew = true
        members = titled(name)
        return SnapshotContent(members: members, sections: [])
    }

    /// The whole collection, for one that is not there and of which nothing was sent: what was taken, in the file's order.
    public func content(named name: String) -> SnapshotContent {
        var content = SnapshotContent(members: titled(name), sections: [])
        var indices: [SectionID: Int] = [:]
        for section in batch.newSections {
            indices[section.id] = content.sections.count
            content.sections.append(SnapshotContent.Section(content: section, items: []))
        }
        for case .updateSection(let sections) in batch.preparations.map(\.operation) {
            for section in sections {
                if let index = indices[section.id] { content.sections[index].content = section }
            }
        }
        for entry in batch.entries {
            if let section = entry.section, let index = indices[section] {
                content.sections[index].items.append(entry.item)
            }
        }
        return content
    }

    private func titled(_ name: String) -> JSONMembers {
        guard members.value(of: "title") == nil else { return members }
        // The title comes first, as everywhere.
        var titled = JSONMembers.empty
        titled.append(name: "title", value: Array(name.utf8).jsonString)
        for member in members { titled.append(nameText: member.name.text, value: member.value) }
        return titled
    }
}
