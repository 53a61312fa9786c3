public import JSONText
public import MedleyCore

/// What a reader finds next in a file.
public enum ImportedEntry: Hashable, Sendable {
    /// A record.
    case record(ImportedRecord)
    /// A section, before its records; it may have none.
    case section(SectionContent)
    /// The collection's own members, its title among them.
    case collection(JSONMembers)
    /// A record that cannot be imported.
    case refusal(ImportRefusal)
    /// Something worth a line.
    case notice(ImportNotice)
}

/// Reads a file's records one after the other, in the file's order.
public protocol RecordReader {
    /// The names of all fields that a record can have, where the format states them first: a table's header.
    var columns: [[UInt8]]? { get }

    /// The number of bytes read so far.
    var bytesRead: Int { get }

    /// Whether `bytesRead` grows to the file's length with the entries: not where the file is read whole before the first
    /// of them, nor for a folder. `true` unless a reader says otherwise.
    var tellsProgress: Bool { get }

    /// The next entry; `nil` after the last.
    ///
    /// Throws `FormatError` if nothing that follows can be told apart any more; what came before stands.
    mutating func next() throws(FormatError) -> ImportedEntry?
}

extension RecordReader {
    /// Entries come as the file is read.
    public var tellsProgress: Bool { true }
}
