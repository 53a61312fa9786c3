import JSONText
import MedleyCore

/// Reads a JSON array of objects, one record each, in little memory; an element that is no valid object is refused
/// with its line.
public struct JSONReader: RecordReader {
    private var splitter: JSONArraySplitter

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read so far.
    public var bytesRead: Int { splitter.bytes.offset }

    /// Starts at the array's opening bracket, or white space before it.
    public init(_ bytes: ByteReader) {
        splitter = JSONArraySplitter(bytes)
    }

    /// The next element as a record.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        guard let element = try splitter.next() else { return nil }
        guard !element.bytes.isEmpty else {
            return .refusal(ImportRefusal(line: element.line, reason: "nothing stands at this comma"))
        }
        return ImportedEntry(json: element.bytes, line: element.line)
    }
}

/// Reads JSON Lines: one object on each line, blank lines skipped; a line that is no valid object is refused.
public struct JSONLinesReader: RecordReader {
    private var bytes: ByteReader
    private var line = 0

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read so far.
    public var bytesRead: Int { bytes.offset }

    /// Starts at the first line.
    public init(_ bytes: ByteReader) {
        self.bytes = bytes
    }

    /// The next line as a record.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        while try bytes.peek() != nil {
            line += 1
            var text: [UInt8] = []
            while let byte = try bytes.next(), byte != UInt8(ascii: "\n") {
                text.append(byte)
                if text.count > ImportedRecord.byteLimit {
                    throw FormatError(
                        .tooLarge, "the line has more than \(ImportedRecord.byteLimit >> 20) MiB", line: line)
                }
            }
            if text.allSatisfy(\.isJSONSpace) { continue }
            return ImportedEntry(json: text, line: line)
        }
        return nil
    }
}

extension ImportedEntry {
    /// How deep an item may nest, so that a snapshot can carry it.
    static let maximumDepth = 56

    /// A record from an object's JSON text, or a refusal.
    init(json: [UInt8], line: Int) {
        do throws(JSONSyntaxError) {
            var scanner = JSONScanner(json, maximumDepth: Self.maximumDepth)
            guard try scanner.peek() == .object else {
                self = .refusal(ImportRefusal(line: line, reason: "not a JSON object"))
                return
            }
            let members = try scanner.members()
            try scanner.finish()
            self = .record(ImportedRecord(line: line, stating: members))
        } catch {
            self = .refusal(ImportRefusal(line: line, reason: "not valid JSON: \(error.message), byte \(error.offset)"))
        }
    }
}

extension ImportedRecord {
    private static let section = Array("section".utf8)

    /// A record from a line's members. An object `section` that begins with an id is the section of the item, as in
    /// lines that were exported from here.
    fileprivate init(line: Int, stating members: JSONMembers) {
        let own = members.first { $0.name.equals("section") && $0.value.starts(with: #"{"id":""#.utf8) }?.value
        guard let own, let section = SectionContent(stated: JSONMembers(trusted: Array(own.dropFirst().dropLast())))
        else {
            self.init(line: line, members: members)
            return
        }
        let all = ImportedRecord(line: line, members: members)
        self.init(line: line, fields: all.fields.filter { $0.name != Self.section }, section: section)
    }
}
