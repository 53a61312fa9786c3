import JSONText
import MedleyClient
import MedleyCore
import MedleyFormats
import MedleyJSON

/// Brings a file's records into a collection, batch by batch.
///
/// An item that exists keeps its place and its like and gets the file's model; a new one comes last in its section, in
/// the file's order. Nothing is deleted.
struct CollectionImporter {
    private let client: CollectionClient
    private var reader: any RecordReader
    private var mapper: RecordMapper

    /// What has become of the records so far.
    private(set) var summary = ImportSummary()

    private var batch = ImportBatch()
    private var exists = false
    private var types: [ItemID: ItemType] = [:]
    private var sections: [SectionID: JSONMembers] = [:]
    private var defaultSection: SectionID?
    private var members = JSONMembers.empty
    private var isChecked = false
    private var hasStarted = false
    private var refusals: [ImportRefusal] = []

    init(client: CollectionClient, reader: any RecordReader, mapping: RecordMapping) {
        self.client = client
        self.reader = reader
        mapper = RecordMapper(mapping)
    }

    /// The number of the file's bytes that have been read.
    var bytesRead: Int { reader.bytesRead }

    /// Reads a few records on, and sends a batch when one is full; returns whether there is more.
    ///
    /// Throws `FormatError` or `ClientError` if it cannot go on; what `summary` counts by then is done.
    mutating func step() async throws -> Bool {
        if !hasStarted {
            hasStarted = true
            if let columns = reader.columns { try mapper.mapping.check(columns: columns) }
            try await look()
        }
        for _ in 0..<Self.stepSize {
            let entry: ImportedEntry?
            do throws(FormatError) {
                entry = try reader.next()
            } catch {
                // What came before the fault is imported; the error says what is not.
                try await flush()
                throw error
            }
            guard let entry else {
                try await flush()
                noteFieldsNotSeen()
                return false
            }
            take(entry)
            if batch.isFull {
                try await flush()
                break
            }
        }
        return true
    }

    /// The records refused since this was last asked.
    mutating func takeRefusals() -> [ImportRefusal] {
        defer { refusals = [] }
        return refusals
    }

    private static let stepSize = 100

    /// Looks at what the collection has.
    private mutating func look() async throws(ClientError) {
        guard let outline = try await client.outline() else { return }
        exists = true
        members = outline.members
        defaultSection = outline.sections.last?.content.id
        for section in outline.sections {
            sections[section.content.id] = section.content.members
            for item in section.items { types[item.id] = item.type }
        }
    }

    private mutating func take(_ entry: ImportedEntry) {
        switch entry {
        case .record(let record):
            summary.read += 1
            take(mapper.item(of: record))
        case .refusal(let refusal):
            summary.read += 1
            refuse(refusal)
        case .notice(let notice): summary.add(notice)
        case .section(let section):
            if mapper.mapping.section == nil {
                prepare(section, isFromFile: true)
            } else {
                summary.add(ImportNotice(line: 1, message: "the file's own sections are not used beside --section"))
            }
        case .collection(let own): take(own)
        }
    }

    private mutating func take(_ mapped: MappedItem) {
        var item = mapped.content
        var place: SectionID?
        if let type = types[item.id] {
            if let wanted = item.type, wanted != type {
                let reason = "an item \"\(item.id)\" of the type \(type) exists, and a type never changes"
                return refuse(ImportRefusal(line: mapped.line, reason: reason))
            }
            item.type = type
        } else {
            item.type = item.type ?? RecordMapping.defaultType
            let section =
                mapped.section
                ?? SectionContent(
                    id: defaultSection ?? Self.items.id, members: defaultSection == nil ? Self.items.members : .empty)
            prepare(section, isFromFile: false)
            if defaultSection == nil, mapped.section == nil { defaultSection = section.id }
            place = section.id
        }
        for notice in mapped.notices { summary.add(notice) }
        batch.append(.init(line: mapped.line, item: item, section: place))
    }

    /// The section of new items where there is none yet and nothing names one.
    private static let items = SectionContent(
        id: "items", members: JSONMembers(trusted: Array(#""title":"Items""#.utf8)))

    /// Makes sure that a section exists; one that a snapshot states also gets the members that it has there.
    private mutating func prepare(_ section: SectionContent, isFromFile: Bool) {
        guard let known = sections[section.id] else {
            sections[section.id] = section.members
            batch.insert(section)
            return
        }
        if isFromFile, known != section.members {
            sections[section.id] = section.members
            batch.preparations.append(Change(.updateSection([section])))
        }
    }

    /// Takes over the collection's own members, as far as they are not what they are already.
    private mutating func take(_ own: JSONMembers) {
        guard exists else {
            members = own
            return
        }
        let changed = own.filter { member in
            members.first { $0.name.utf8 == member.name.utf8 }?.value != member.value
        }
        guard !changed.isEmpty else { return }
        var text: [UInt8] = []
        for member in changed {
            text += text.isEmpty ? [UInt8(ascii: "{")] : [UInt8(ascii: ",")]
            text += member.name.text + [UInt8(ascii: ":")] + member.value
        }
        var scanner = JSONScanner(text + [UInt8(ascii: "}")])
        if let patch = try? JSONMergePatch(from: &scanner) {
            batch.preparations.append(Change(.updateCollection(patch)))
        }
    }

    private mutating func noteFieldsNotSeen() {
        guard summary.read > summary.refused else { return }
        for field in mapper.fieldsNotSeen {
            let name = String(decoding: field, as: UTF8.self)
            summary.add(ImportNotice(line: 1, message: "no record has a field \"\(name)\""))
        }
    }

    private mutating func refuse(_ refusal: ImportRefusal) {
        summary.refused += 1
        refusals.append(refusal)
    }
}

// Sending.
extension CollectionImporter {
    /// Sends the batch and starts another.
    private mutating func flush() async throws {
        try checkFields()
        if !exists, !batch.isEmpty || !members.isEmpty { try await create() }
        let full = batch
        batch = ImportBatch()
        for entry in full.entries { types[entry.item.id] = entry.item.type }
        try await send(full)
    }

    /// Refuses a misspelt `--id` or `--section` of a file without a header before anything is sent.
    private mutating func checkFields() throws(FormatError) {
        guard !isChecked, !batch.entries.isEmpty else { return }
        isChecked = true
        let needed = mapper.mapping.idFields + (mapper.mapping.section.map { [$0] } ?? [])
        guard let missing = mapper.fieldsNotSeen.first(where: { needed.contains($0) }) else { return }
        throw FormatError(
            .unknownField,
            "none of the first \(batch.entries.count) records has a field \"\(String(decoding: missing, as: UTF8.self))\""
        )
    }

    private mutating func create() async throws(ClientError) {
        exists = true
        if members.value(of: "title") == nil {
            var text: [UInt8] = []
            JSONWriter.append(string: client.id, to: &text)
            members.append(name: "title", value: text)
        }
        let content = SnapshotContent(members: members, sections: [])
        if let answer = try await client.create(content) { summary.revision = answer.to.description }
    }

    /// Sends a batch; an item that the server refuses is reported, and the rest goes without it.
    private mutating func send(_ batch: ImportBatch) async throws(ClientError) {
        var batch = batch
        while !batch.isEmpty {
            let (changes, origins) = batch.changes()
            let refused: ClientError
            do throws(ClientError) {
                count(try await client.edit(changes), batch)
                return
            } catch {
                refused = error
            }
            guard let problem = refused.problem else { throw refused }
            if problem.status == 413, batch.entries.count > 1 {
                let (first, second) = batch.halves()
                try await send(first)
                try await send(second)
                return
            }
            let culprit: Int
            if problem.status == 413, batch.entries.count == 1 {
                culprit = 0
            } else if [400, 409, 422].contains(problem.status), let pointer = problem.pointer,
                let index = batch.entry(at: pointer, origins)
            {
                culprit = index
            } else {
                throw refused
            }
            refuse(ImportRefusal(line: batch.entries[culprit].line, reason: refused.message))
            types[batch.entries[culprit].item.id] = nil
            batch.remove(at: culprit)
        }
    }

    private mutating func count(_ answer: ChangesAnswer, _ batch: ImportBatch) {
        var inserted = 0
        var updated = 0
        for change in answer.changes ?? [] {
            switch change.operation {
            case .insert(let items, _): inserted += items.count
            case .insertSection(let sections, _): summary.newSections += sections.count
            case .update(let items): updated += items.count
            default: break
            }
        }
        summary.inserted += inserted
        summary.updated += updated
        summary.unchanged += max(0, batch.entries.count - inserted - updated)
        summary.revision = answer.to.description
    }
}
