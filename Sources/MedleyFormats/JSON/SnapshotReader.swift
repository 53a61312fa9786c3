import JSONText
import MedleyCore

/// Reads the service's own snapshot form: sections with their items. The text is read whole.
public struct SnapshotReader: RecordReader {
    private static let limit = 2 << 30
    /// The most sections and items; each takes many times the bytes of an empty object.
    static let entryLimit = 2_000_000

    /// A section or an item as it stands there: a record would take many times the memory.
    private enum Piece {
        case collection(JSONMembers)
        case section(SectionContent)
        /// `nil` for what is no object.
        case item(line: Int, JSONMembers?)
    }

    private var pieces: ArraySlice<Piece>
    private var section: SectionContent?
    private var notices: ArraySlice<ImportNotice>

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read.
    public let bytesRead: Int

    /// All is read before the first entry.
    public var tellsProgress: Bool { false }

    /// Reads the text.
    ///
    /// Throws `malformed` if it is not of the form; an item that cannot be read is a refusal among the entries.
    public init(_ bytes: ByteReader) throws(FormatError) {
        var bytes = bytes
        let text = try bytes.rest(limit: Self.limit)
        bytesRead = bytes.offset
        var parser = Parser(text)
        do throws(JSONSyntaxError) {
            try parser.collection()
        } catch {
            throw FormatError(.malformed, "not valid JSON: \(error.message)", line: parser.line(at: error.offset))
        }
        if let problem = parser.problem { throw problem }
        pieces = parser.pieces[...]
        notices = parser.notices[...]
    }

    /// The next section or item.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        if let notice = notices.popFirst() { return .notice(notice) }
        switch pieces.popFirst() {
        case nil: return nil
        case .collection(let members): return .collection(members)
        case .section(let content):
            section = content
            return .section(content)
        case .item(let line, let members?):
            return .record(ImportedRecord(line: line, members: members, section: section))
        case .item(let line, nil): return .refusal(ImportRefusal(line: line, reason: "not a JSON object"))
        }
    }
}

extension SnapshotReader {
    /// Walks a snapshot's text.
    private struct Parser {
        /// How deep the text may nest; what is too deep for an item is refused by itself.
        private static let maximumDepth = 128

        private let text: [UInt8]
        private var scanner: JSONScanner
        private var countedTo = 0
        private var lines = 1
        private(set) var pieces: [Piece] = []
        private(set) var notices: [ImportNotice] = []
        private(set) var problem: FormatError?

        init(_ text: [UInt8]) {
            self.text = text
            scanner = JSONScanner(text, maximumDepth: Self.maximumDepth)
        }

        mutating func line(at offset: Int) -> Int {
            if offset < countedTo { (countedTo, lines) = (0, 1) }
            lines += text[countedTo..<min(offset, text.count)].count { $0 == UInt8(ascii: "\n") }
            countedTo = min(offset, text.count)
            return lines
        }

        /// `{"id", "title", …, "sections": […]}`; the members that the server makes are dropped.
        mutating func collection() throws(JSONSyntaxError) {
            var head = CollectionMembers()
            var hasSections = false
            try scanner.beginObject()
            while let name = try scanner.nextMember() {
                switch name.string {
                case "sections":
                    hasSections = true
                    guard try scanner.peek() == .array else { return malformed("\"sections\" is not an array") }
                    try scanner.beginArray()
                    while problem == nil, try scanner.nextElement() { try section() }
                    guard problem == nil else { return }
                case "id", "revision", "counts", "types": try scanner.skipValue()
                case "next":
                    // Taken for the whole, it would have the rest deleted where that is asked for.
                    return malformed("this is a page of a collection, not the whole; read it without limit")
                default:
                    let line = self.line(at: scanner.offset)
                    let kind = try scanner.peek()
                    var value: [UInt8] = []
                    try scanner.copyValue(to: &value)
                    // Nothing of a collection is null.
                    if kind == .null { continue }
                    if !head.append(name: Array(name.utf8), value: value) { return refuse(name.string, head) }
                    if name.equals("title"), kind != .string {
                        let message = "the collection's \"title\" is not text; it is kept as \"titleText\""
                        notices.append(ImportNotice(line: line, message: message))
                    }
                }
            }
            try scanner.finish()
            guard hasSections else {
                return malformed("the JSON object has no \"sections\"; a collection, an array or JSON Lines is needed")
            }
            if !head.members.isEmpty { pieces.insert(.collection(head.members), at: 0) }
        }

        /// Says why a member of the collection's own cannot be taken.
        private mutating func refuse(_ name: String, _ head: CollectionMembers) {
            guard head.isOverfull else {
                return malformed(
                    "the collection's \"\(name.prefix(40))\" stands twice, or nests deeper than "
                        + "\(ImportedEntry.maximumDepth) objects and arrays")
            }
            problem = FormatError(
                .tooLarge,
                "the collection has too many members of its own; it may have \(Snapshot.maximumMembers), of "
                    + "\(Snapshot.maximumMembersByteCount >> 20) MiB together", line: line(at: scanner.offset))
        }

        private mutating func section() throws(JSONSyntaxError) {
            guard try scanner.peek() == .object else { return malformed("a section is not an object") }
            let line = line(at: scanner.offset)
            var id: [UInt8]?
            var title: [UInt8] = Array(#""""#.utf8)
            var own = JSONMembers.empty
            var items: [(line: Int, members: JSONMembers?)] = []
            try scanner.beginObject()
            while let name = try scanner.nextMember() {
                switch name.string {
                case "items":
                    guard try scanner.peek() == .array else { return malformed("\"items\" is not an array") }
                    try scanner.beginArray()
                    while try scanner.nextElement() {
                        guard pieces.count + items.count < SnapshotReader.entryLimit else { return tooLarge() }
                        let isObject = try scanner.peek() == .object
                        let line = self.line(at: scanner.offset)
                        if isObject {
                            items.append((line, try scanner.members()))
                        } else {
                            try scanner.skipValue()
                            items.append((line, nil))
                        }
                    }
                case "id":
                    guard try scanner.peek() == .string else { return malformed("a section's id is not a string") }
                    id = Array(try scanner.string().utf8)
                case "title":
                    guard try scanner.peek() == .string else { return malformed("a section's title is not a string") }
                    title = Array(try scanner.string().text)
                default:
                    var value: [UInt8] = []
                    try scanner.copyValue(to: &value)
                    own.append(nameText: name.text, value: value)
                }
            }
            guard let id, let plain = ContentID.plain(id) else {
                return malformed("the section that begins on line \(line) has no id, or one that cannot be an id")
            }
            var members = JSONMembers.empty
            members.append(name: "title", value: title)
            for member in own { members.append(nameText: member.name.text, value: member.value) }
            guard pieces.count + items.count < SnapshotReader.entryLimit else { return tooLarge() }
            let content = SectionContent(id: SectionID(utf8: plain), members: members)
            pieces.append(.section(content))
            for item in items { pieces.append(.item(line: item.line, item.members)) }
        }

        private mutating func tooLarge() {
            let limit = SnapshotReader.entryLimit
            problem = FormatError(
                .tooLarge, "the snapshot has more than \(limit) sections and items; JSON Lines may have any number",
                line: line(at: scanner.offset))
        }

        private mutating func malformed(_ message: String) {
            problem = FormatError(.malformed, message, line: line(at: scanner.offset))
        }
    }
}
