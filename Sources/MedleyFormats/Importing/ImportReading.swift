public import JSONText
public import MedleyCore

/// Reads a file's entries and makes items of its records, without asking where they go.
public struct ImportReading {
    /// What comes next for an `ImportPlan`.
    public enum Step: Sendable {
        /// An item.
        case item(MappedItem)
        /// A section, before its items; it may have none. One that is there gets these members if `isEdited`: the file is
        /// a snapshot, which people edit and bring back.
        case section(SectionContent, isEdited: Bool)
        /// The collection's own members.
        case collection(JSONMembers)
        /// Nothing that goes anywhere; the summary counts what it was.
        case nothing
    }

    /// What has become of the records so far.
    public var summary: ImportSummary
    /// Whether every record so far could be read.
    public private(set) var isComplete = true

    private var reader: any RecordReader
    private var mapper: RecordMapper
    private var rules = ContentRules()
    private var mapped = 0
    private var isChecked = false

    /// Starts reading. Throws `unknownField` if the mapping names a column that the file does not have.
    ///
    /// - Parameter refusalLimit: the most refusals that the summary keeps at a time.
    public init(
        _ reader: any RecordReader, _ mapping: RecordMapping, refusalLimit: Int = .max
    ) throws(FormatError) {
        if let columns = reader.columns { try mapping.check(columns: columns) }
        self.reader = reader
        mapper = RecordMapper(mapping)
        summary = ImportSummary(refusalLimit: refusalLimit)
    }

    /// The number of the file's bytes that have been read.
    public var bytesRead: Int { reader.bytesRead }

    /// Whether `bytesRead` tells how far the import is.
    public var tellsProgress: Bool { reader.tellsProgress }

    /// The next step; `nil` after the last.
    ///
    /// Throws `FormatError` if nothing that follows can be told apart any more; what came before stands.
    public mutating func next() throws(FormatError) -> Step? {
        let entry: ImportedEntry?
        do throws(FormatError) {
            entry = try reader.next()
        } catch {
            isComplete = false
            throw error
        }
        switch entry {
        case nil:
            try checkFields()
            noteFieldsNotSeen()
            return nil
        case .record(let record):
            summary.read += 1
            let item = mapper.item(of: record)
            mapped += 1
            for notice in item.notices { summary.add(notice) }
            if let problem = rules.problem(of: item) {
                isComplete = false
                summary.refuse(ImportRefusal(line: item.line, reason: problem))
                return .nothing
            }
            return .item(item)
        case .refusal(let refusal):
            summary.read += 1
            isComplete = false
            summary.refuse(refusal)
        case .notice(let notice):
            if notice.hidesRecords { isComplete = false }
            summary.add(notice)
        case .section(let section):
            if let problem = rules.problem(of: section) {
                isComplete = false
                throw FormatError(.malformed, problem)
            }
            if mapper.mapping.section == nil { return .section(section, isEdited: reader is SnapshotReader) }
            summary.add(ImportNotice(line: 1, message: "the file's own sections are not used beside --section"))
        case .collection(let members): return .collection(members)
        }
        return .nothing
    }

    /// Refuses a misspelt `--id` or `--section` of a file without a header, once, before anything is sent.
    public mutating func checkFields() throws(FormatError) {
        guard !isChecked, mapped > 0 else { return }
        let needed = mapper.mapping.idFields + (mapper.mapping.section.map { [$0] } ?? [])
        guard let missing = mapper.fieldsNotSeen.first(where: { needed.contains($0) }) else {
            isChecked = true
            return
        }
        throw FormatError(
            .unknownField,
            "none of the first \(mapped) records has a field \"\(String(decoding: missing, as: UTF8.self))\"")
    }

    private mutating func noteFieldsNotSeen() {
        guard mapped > 0 else { return }
        for field in mapper.fieldsNotSeen {
            let name = String(decoding: field, as: UTF8.self)
            summary.add(ImportNotice(line: 1, message: "no record has a field \"\(name)\""))
        }
    }
}
