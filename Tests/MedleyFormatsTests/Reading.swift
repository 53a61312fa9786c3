import JSONText
import MedleyCore
import MedleyFormats

/// What a reader gave, in short.
struct Reading: Equatable {
    var records: [[String]] = []
    var lines: [Int] = []
    var refusals: [String] = []
    var notices: [String] = []
    var sections: [String] = []
    /// For each record its section; empty if it has none.
    var recordSections: [String] = []
    /// For each record what tells it from others.
    var identities: [String] = []
    var message = ""
    var error: FormatError.Code?

    /// Reads text whole, in chunks of a size.
    init(_ text: String, name: String = "", chunk: Int = 1 << 16) {
        self.init(Array(text.utf8), name: name, chunk: chunk)
    }

    /// Reads bytes whole, in chunks of a size.
    init(_ bytes: [UInt8], name: String = "", chunk: Int = 1 << 16) {
        do throws(FormatError) {
            var (_, reader) = try MediaFile.open(.chunked(bytes, chunk), name: name)
            while let entry = try reader.next() { add(entry) }
        } catch {
            self.error = error.code
            message = error.description
        }
    }

    private mutating func add(_ entry: ImportedEntry) {
        switch entry {
        case .record(let record):
            records.append(record.fields.map { "\(String(decoding: $0.name, as: UTF8.self))=\($0.value.text)" })
            lines.append(record.line)
            recordSections.append(record.section.map { "\($0.id) \($0.members.text)" } ?? "")
            identities.append(record.identity.map { String(decoding: $0, as: UTF8.self) } ?? "")
        case .refusal(let refusal): refusals.append(refusal.description)
        case .notice(let notice): notices.append("line \(notice.line): \(notice.message)")
        case .section(let section): sections.append("\(section.id) \(section.members.text)")
        case .collection(let members): sections.append(members.text)
        }
    }
}

extension ByteReader {
    /// A reader that gets its bytes in pieces of a size.
    static func chunked(_ bytes: [UInt8], _ size: Int) -> ByteReader {
        var rest = bytes[...]
        return ByteReader { _ in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }
}

extension ImportedRecord.Value {
    /// The text as it is.
    var text: String {
        switch self {
        case .text(let bytes), .json(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension JSONMembers {
    /// The text as it is.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
