import JSONText
import MedleyCore
import MedleyFormats
import MedleyJSON
import Testing

/// What becomes of a document: sections, and items as the server would get them.
struct XMLReading {
    var format: MediaFormat?
    var items: [MappedItem] = []
    var sections: [SectionContent] = []
    var head = JSONMembers.empty
    var refusals: [String] = []
    var notices: [String] = []
    var error: FormatError?

    /// Reads bytes and maps all that is in them; what the mapper makes is what the server accepts.
    init(_ bytes: [UInt8], name: String = "x", chunk: Int = 1 << 16, type: String? = nil) {
        do throws(FormatError) {
            var reader: any RecordReader
            (format, reader) = try MediaFile.open(.chunked(bytes, chunk), name: name)
            try read(&reader, type)
        } catch {
            self.error = error
        }
        check()
    }

    init(_ text: String, name: String = "x", chunk: Int = 1 << 16, type: String? = nil) {
        self.init(Array(text.utf8), name: name, chunk: chunk, type: type)
    }

    /// Reads a file or a folder.
    init(path: String, probe: MediaProbe? = nil) {
        do throws(FormatError) {
            var reader: any RecordReader
            if let probe {
                reader = try FolderReader(path: path, probe: probe)
            } else {
                (format, reader) = try MediaFile.open(path: path)
            }
            try read(&reader, nil)
        } catch {
            self.error = error
        }
        check()
    }

    private mutating func read(_ reader: inout any RecordReader, _ type: String?) throws(FormatError) {
        var mapper = RecordMapper(RecordMapping(type: type.flatMap { ItemType($0) }))
        while let entry = try reader.next() {
            switch entry {
            case .record(let record):
                items.append(mapper.item(of: record))
                #expect(Set(record.fields.map(\.name)).count == record.fields.count)
            case .section(let section): sections.append(section)
            case .refusal(let refusal): refusals.append(refusal.description)
            case .notice(let notice): notices.append("line \(notice.line): \(notice.message)")
            case .collection(let members): head = members
            }
        }
        notices += items.flatMap { item in item.notices.map { "line \($0.line): \($0.message)" } }
    }

    private func check() {
        #expect(Set(items.map(\.content.id)).count == items.count)
        let changes = [Change(.upsert(items.map(\.content), at: nil)), Change(.insertSection(sections, at: .last))]
        #expect(throws: Never.self) { try ChangeDecoder().changes(ChangeEncoder.encoded(changes)) }
    }

    /// The items in short: id, type, and the model's text.
    var models: [String] { items.map { $0.content.model.text } }
    var ids: [String] { items.map { "\($0.content.id)" } }
    var types: [String] { items.map { ($0.content.type ?? $0.impliedType).map { "\($0)" } ?? "-" } }
    /// The section's title of each item.
    var places: [String] {
        items.map { $0.section?.members.string(of: "title").map { String(decoding: $0, as: UTF8.self) } ?? "-" }
    }

    /// A member of the first item, as JSON text.
    func member(_ name: String) -> String? {
        items.first?.content.model.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }
}
