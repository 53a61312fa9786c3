import JSONText
import MedleyCore

/// Reads PLS playlists: `File1=`, `Title1=` and `Length1=` in any order and case, UTF-8 or Windows-1252.
///
/// Entries may be scattered over the file, so it is read whole, up to `limit` bytes of text. They come in the order of
/// their numbers. A key that means nothing here is kept under its own name, with its entry if a number ends it, else
/// with the collection.
public struct PLSReader: RecordReader {
    /// The most bytes of text that are held.
    public static let limit = 512 << 20
    /// The most entries; each takes many times the bytes of its shortest line.
    static let entryLimit = 1_000_000
    /// The most keys of one entry, and of all; each takes many times the bytes of its shortest line.
    static let keyLimit = (ofEntry: 1_000, inAll: 4_000_000)
    /// The most lines that may be refused, which are held until they are told.
    static let refusalLimit = 100_000

    private var entries: ArraySlice<ImportedEntry> = []
    private var numbers: ArraySlice<Int> = []
    private var parts: [Int: Part] = [:]
    private let section: SectionContent?

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read.
    public let bytesRead: Int

    /// All is read before the first entry.
    public var tellsProgress: Bool { false }

    /// What the file says of an entry.
    private struct Part {
        var line: Int
        var keys: [(name: [UInt8], value: [UInt8])] = []
    }

    /// Reads the file; `name` names the section if the file does not.
    ///
    /// Throws `tooLarge`; what is wrong with a line is a refusal among the entries.
    public init(_ bytes: ByteReader, name: [UInt8]? = nil) throws(FormatError) {
        var parser = Parser(bytes)
        try parser.read()
        if !parser.members.isEmpty { entries.append(.collection(parser.members)) }
        entries += parser.entries
        parts = parser.parts
        numbers = parts.keys.sorted()[...]
        let count = parser.parts.count
        if let stated = parser.statedCount, stated != Array("\(count)".utf8) {
            let number = String(decoding: stated.prefix(20), as: UTF8.self)
            // More than there are: it was cut off, as likely as not.
            let isCutOff = stated.allSatisfy(\.isDigit) && Int(String(decoding: stated, as: UTF8.self)) ?? .max > count
            let message = "NumberOfEntries is \(number), but there are \(count)"
            entries.append(.notice(ImportNotice(line: 1, message: message, hidesRecords: isCutOff)))
        }
        let title = parser.members.string(of: "title").map { Array($0) } ?? name
        section = title.flatMap { $0.isEmpty ? nil : SectionContent(titled: $0) }
        bytesRead = parser.bytesRead
    }

    /// The next entry.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        if let entry = entries.popFirst() { return entry }
        guard let number = numbers.popFirst(), let part = parts.removeValue(forKey: number) else { return nil }
        return entry(of: part)
    }

    private mutating func entry(of part: Part) -> ImportedEntry {
        func value(_ name: String) -> [UInt8]? { part.keys.first { $0.name.isEqual(to: name) }?.value }
        let location = value("file")
        let place = location.map { MediaLocation($0) }
        var fields = RecordFields()
        let names = value("title").map { PlaylistTitle.split($0) }
        let title = names?.title ?? place?.fileTitle
        fields.append("title", text: title)
        fields.append("artist", text: names?.artist)
        if let place { fields.append(place.member, text: place.text) }
        if let length = value("length").flatMap({ PlaylistDuration.value($0) }) {
            fields.append(name: Array("duration".utf8), value: length)
        }
        var seen: Set<String> = []
        for key in part.keys {
            let name = String(decoding: key.name, as: UTF8.self).lowercased()
            // The first of each of the three is understood; another of its name is kept beside it.
            if ["file", "title", "length"].contains(name), seen.insert(name).inserted { continue }
            fields.append(name: key.name, value: .text(key.value))
        }
        guard !fields.fields.isEmpty else {
            return .refusal(ImportRefusal(line: part.line, reason: "an entry without a title and a location"))
        }
        if location == nil {
            let message = "an entry has no location; it is kept with what is said of it"
            entries.append(.notice(ImportNotice(line: part.line, message: message)))
        }
        let called = title.map { ContentID.joined((names?.artist.map { [$0] } ?? []) + [$0]) }
        return .record(
            ImportedRecord(
                line: part.line, fields: fields.fields, section: section, identity: location ?? called,
                impliedType: location.flatMap { MediaKind.type(location: $0) }))
    }
}

extension PLSReader {
    /// Sorts the lines by the entry they are about.
    private struct Parser {
        private var lines: LineReader
        private(set) var parts: [Int: Part] = [:]
        private var head = CollectionMembers()
        private(set) var entries: [ImportedEntry] = []
        private(set) var statedCount: [UInt8]?
        private var held = 0
        private var keyCount = 0
        private var refusals = 0
        /// The first entry that has more keys than it may.
        private var overfull: Int?
        private var hasNotedEncoding = false

        var members: JSONMembers { head.members }
        var bytesRead: Int { lines.bytes.offset }

        init(_ bytes: ByteReader) {
            lines = LineReader(bytes)
        }

        mutating func read() throws(FormatError) {
            while let line = try lines.next() {
                held += line.text.count
                guard held <= PLSReader.limit else {
                    throw FormatError(.tooLarge, "the file has more than \(PLSReader.limit >> 20) MiB")
                }
                take(line)
                if let problem = tooMany {
                    throw FormatError(.tooLarge, "the playlist has more than \(problem)", line: line.number)
                }
            }
        }

        /// What there are too many of.
        private var tooMany: String? {
            if parts.count > PLSReader.entryLimit { return "\(PLSReader.entryLimit) entries" }
            if let overfull { return "\(PLSReader.keyLimit.ofEntry) lines about entry \(overfull)" }
            if keyCount > PLSReader.keyLimit.inAll { return "\(PLSReader.keyLimit.inAll) lines about entries" }
            return refusals > PLSReader.refusalLimit ? "\(PLSReader.refusalLimit) lines that cannot be read" : nil
        }

        private mutating func take(_ line: LineReader.Line) {
            if let problem = line.problem { return refuse(line, problem) }
            if line.wasRecoded, !hasNotedEncoding {
                hasNotedEncoding = true
                let message = "lines that are not UTF-8 are read as Windows-1252"
                entries.append(.notice(ImportNotice(line: line.number, message: message)))
            }
            let text = line.text
            guard let first = text.first, first != UInt8(ascii: ";"), first != UInt8(ascii: "#") else { return }
            guard first != UInt8(ascii: "[") else {
                if !text.isEqual(to: "[playlist]") { refuse(line, "a part of the file that is no playlist") }
                return
            }
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return refuse(line, "not KEY=VALUE") }
            let key = Array(text[..<equals]).trimmed
            let value = Array(text[(equals + 1)...]).trimmed
            guard !key.isEmpty else { return refuse(line, "not KEY=VALUE") }
            guard !value.isEmpty else { return }
            let name = Array(key[..<(key.count - key.reversed().prefix(while: \.isDigit).count)])
            if name.count < key.count, !name.isEmpty {
                guard let number = Int(String(decoding: key[name.count...], as: UTF8.self)) else {
                    return refuse(line, "the entry's number is too large")
                }
                parts[number, default: Part(line: line.number)].keys.append((name, value))
                keyCount += 1
                if parts[number]?.keys.count ?? 0 > PLSReader.keyLimit.ofEntry { overfull = number }
            } else {
                property(key, value)
            }
        }

        /// A key that is about the whole playlist.
        private mutating func property(_ key: [UInt8], _ value: [UInt8]) {
            let name = String(decoding: key, as: UTF8.self)
            switch name.lowercased() {
            case "numberofentries": statedCount = value
            case "version": break
            case "title", "playlistname", "x-gnome-title": add(Array("title".utf8), value)
            default: add(key, value)
            }
        }

        private mutating func add(_ name: [UInt8], _ value: [UInt8]) {
            head.append(name: name, value: value.jsonString)
        }

        private mutating func refuse(_ line: LineReader.Line, _ reason: String) {
            refusals += 1
            entries.append(.refusal(ImportRefusal(line: line.number, reason: reason)))
        }
    }
}
