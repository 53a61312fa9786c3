import FuzzSupport
import JSONText
import MedleyCore
import MedleyFormats
import MedleyJSON

/// The first byte says under which name a file is read, the rest is the file: its records can be imported, or it is
/// refused, in whatever chunks it comes.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzFormats(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe FuzzInput.bytes(start, count)
    let names = [
        "a", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.m3u8", "a.m3u", "a.pls", "a.xspf", "a.jspf", "a.rss", "a.atom",
        "a.opml", "a.plist",
    ]
    guard let first = bytes.first else { return 0 }
    let name = names[Int(first) % names.count]
    let file = Array(bytes.dropFirst())
    let whole = read(file, name, chunk: 1 << 16)
    FuzzInput.require(read(file, name, chunk: 5) == whole, "other entries in small chunks")
    return 0
}

/// What a reader gives, at last its refusal.
private func read(_ bytes: [UInt8], _ name: String, chunk: Int) -> [String] {
    var rest = bytes[...]
    let source = ByteReader { _ in
        defer { rest = rest.dropFirst(chunk) }
        return Array(rest.prefix(chunk))
    }
    var mapper = RecordMapper(RecordMapping())
    var items: [ItemContent] = []
    var entries: [String] = []
    do throws(FormatError) {
        var (_, reader) = try MediaFile.open(source, name: name)
        while let entry = try reader.next() {
            switch entry {
            case .record(let record):
                FuzzInput.require(
                    Set(record.fields.map(\.name)).count == record.fields.count, "a record has a field twice")
                let item = mapper.item(of: record).content
                items.append(item)
                entries.append("\(item.type?.name ?? "-") \(String(decoding: item.model.bytes, as: UTF8.self))")
            case .section(let section): check(section.members)
            case .collection(let members): check(members)
            case .refusal(let refusal): entries.append(refusal.description)
            case .notice(let notice): entries.append(notice.message)
            }
        }
    } catch {
        FuzzInput.require(!error.message.isEmpty, "a refusal without a word")
        entries.append(error.message)
    }
    let change = Change(.upsert(items, at: nil))
    FuzzInput.require(
        (try? ChangeDecoder().changes(ChangeEncoder.encoded([change]))) == [change], "records that no server takes")
    return entries
}

private func check(_ members: JSONMembers) {
    do throws(JSONSyntaxError) {
        try JSONScanner.validate([UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")])
    } catch { fatalError("members that are no JSON: \(error)") }
}
