import JSONText
import MedleyCore

/// Reads JSPF, the JSON form of XSPF: `{"playlist":{"title":…,"track":[…]}}`. The text is read whole; the tracks are
/// made into records one by one.
///
/// `location` becomes `url` or `path`, `image` `artworkURL`, `annotation` `description`, `trackNum` `trackNumber`, `info`
/// `link`, `link` `links`, and `duration`, milliseconds there, seconds; everything else stays under its own name.
public struct JSPFReader: RecordReader {
    private static let limit = 2 << 30
    /// How deep the text may nest; what is too deep for an item is refused with its track.
    private static let maximumDepth = 512

    /// What members of a track are called here.
    private static let names = [
        "image": "artworkURL", "annotation": "description", "trackNum": "trackNumber", "info": "link", "link": "links",
    ]

    private let text: [UInt8]
    private var tracks: JSONScanner?
    private var hasStarted = false
    private var head: JSONMembers
    private var notices: [ImportNotice] = []
    private let section: SectionContent?
    private var countedTo = 0
    private var line = 1

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read.
    public let bytesRead: Int

    /// All is read before the first entry.
    public var tellsProgress: Bool { false }

    /// Reads the text; `name` names the section of tracks that state none if the playlist has no title.
    ///
    /// Throws `malformed` if it is not of the form, `tooLarge` over 2 GiB.
    public init(_ bytes: ByteReader, name: [UInt8]? = nil) throws(FormatError) {
        var bytes = bytes
        text = try bytes.rest(limit: Self.limit)
        bytesRead = bytes.offset
        var parser = Parser(JSONScanner(text, maximumDepth: Self.maximumDepth))
        do throws(JSONSyntaxError) {
            try parser.read()
        } catch {
            let line = 1 + text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
            throw FormatError(.malformed, "not valid JSON: \(error.message)", line: line)
        }
        guard parser.isPlaylist else {
            throw FormatError(.malformed, "no JSPF: there is no object \"playlist\" with an array \"track\"", line: 1)
        }
        tracks = parser.tracks
        head = parser.members
        let title = head.string(of: "title").map { Array($0) } ?? name
        section = title.flatMap { $0.isEmpty ? nil : SectionContent(titled: $0) }
    }

    /// The next track as a record.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        if !head.isEmpty {
            defer { head = .empty }
            return .collection(head)
        }
        if !notices.isEmpty { return .notice(notices.removeFirst()) }
        guard var scanner = tracks else { return nil }
        // The one copy of the scanner is moved, not shared.
        tracks = nil
        do throws(JSONSyntaxError) {
            if !hasStarted {
                hasStarted = true
                try scanner.beginArray()
            }
            guard try scanner.nextElement() else { return nil }
            let kind = try scanner.peek()
            line += text[countedTo..<scanner.offset].count { $0 == UInt8(ascii: "\n") }
            countedTo = scanner.offset
            guard kind == .object else {
                try scanner.skipValue()
                tracks = scanner
                return .refusal(ImportRefusal(line: line, reason: "not a JSON object"))
            }
            let members = try scanner.members()
            tracks = scanner
            return entry(of: members)
        } catch {
            // The text was checked as a whole before.
            throw FormatError(.malformed, "not valid JSON: \(error.message)", line: line)
        }
    }

    private mutating func entry(of track: JSONMembers) -> ImportedEntry {
        let (own, rest) = Self.ownExtension(of: track)
        var fields = RecordFields()
        if let own { fields.append(own.reserved) }
        var location: [UInt8]?
        for member in track {
            let name = member.name.string
            let value = Array(member.value)
            switch name {
            case "location":
                location = Self.first(of: value)
                guard let location else {
                    if value != Array("[]".utf8) { fields.append(name: Array(name.utf8), value: .json(value)) }
                    continue
                }
                let place = MediaLocation(location)
                if own?.leaves("url", "path") ?? true { fields.append(place.member, text: place.text) }
                if Self.count(value) > 1 { fields.append(name: Array(name.utf8), value: .json(value)) }
            case "duration":
                guard own?.leaves(name) ?? true else { continue }
                let seconds = MediaDuration.seconds(milliseconds: value)
                fields.append(
                    name: Array((seconds == nil ? "durationText" : name).utf8), value: .json(seconds ?? value))
            case "extension":
                guard let rest else { continue }
                fields.append(name: Array(name.utf8), value: .json(rest))
            case "identifier":
                let text = Self.count(value) == 1 ? Self.first(of: value) : nil
                guard own?.leaves(name) ?? true else { continue }
                fields.append(name: Array(name.utf8), value: text.map { .text($0) } ?? .json(value))
            case "creator":
                if own?.leaves("creator", "artist") ?? true {
                    fields.append(name: Array(name.utf8), value: .json(value))
                }
            default:
                let target = Self.names[name] ?? name
                if own?.leaves(target) ?? true { fields.append(name: Array(target.utf8), value: .json(value)) }
            }
        }
        if let own { fields.append(own.members) }
        guard !fields.fields.isEmpty else {
            return .refusal(ImportRefusal(line: line, reason: "a track of which nothing is said"))
        }
        guard fields.fields.allSatisfy(\.value.fitsItem) else {
            let reason = "a value nests deeper than an item may, which is \(ImportedEntry.maximumDepth)"
            return .refusal(ImportRefusal(line: line, reason: reason))
        }
        let called = track.string(of: "title").map { title in
            ContentID.joined((track.string(of: "creator").map { [Array($0)] } ?? []) + [Array(title)])
        }
        let identifier = track.value(of: "identifier").flatMap { Self.first(of: Array($0)) }
        return .record(
            ImportedRecord(
                line: line, fields: fields.fields, section: own?.section ?? section,
                identity: location ?? identifier ?? called,
                impliedType: location.flatMap { MediaKind.type(location: $0) } ?? MediaKind.music))
    }

    /// What Medley wrote into the track, and the other extensions.
    private static func ownExtension(of track: JSONMembers) -> (own: ItemExtension?, rest: [UInt8]?) {
        guard let text = track.value(of: "extension") else { return (nil, nil) }
        guard text.first == UInt8(ascii: "{") else { return (nil, Array(text)) }
        var own: ItemExtension?
        var rest = JSONMembers.empty
        for member in JSONMembers(trusted: Array(text.dropFirst().dropLast())) {
            if member.name.equals(ItemExtension.application), member.value.first == UInt8(ascii: "["),
                let found = ItemExtension(json: Array(member.value.dropFirst().dropLast()))
            {
                own = found
            } else {
                rest.append(nameText: member.name.text, value: member.value)
            }
        }
        return (own, rest.isEmpty ? nil : [UInt8(ascii: "{")] + rest.bytes + [UInt8(ascii: "}")])
    }

    /// The text of a string, or of the first string in an array of them.
    private static func first(of value: [UInt8]) -> [UInt8]? {
        var scanner = JSONScanner(value, maximumDepth: maximumDepth)
        if value.first == UInt8(ascii: "[") {
            guard (try? scanner.beginArray()) != nil, (try? scanner.nextElement()) == true else { return nil }
        }
        guard let text = try? scanner.string(), !text.utf8.isEmpty else { return nil }
        return Array(text.utf8).trimmed
    }

    /// How many elements an array has; 1 for anything else.
    private static func count(_ value: [UInt8]) -> Int {
        guard value.first == UInt8(ascii: "[") else { return 1 }
        var scanner = JSONScanner(value, maximumDepth: maximumDepth)
        var count = 0
        guard (try? scanner.beginArray()) != nil else { return 1 }
        while (try? scanner.nextElement()) == true, (try? scanner.skipValue()) != nil { count += 1 }
        return count
    }
}

extension JSPFReader {
    /// Checks the text and finds the tracks.
    private struct Parser {
        private var scanner: JSONScanner
        /// At the array of tracks.
        private(set) var tracks: JSONScanner?
        /// What is said of the playlist.
        private var head = CollectionMembers()
        var members: JSONMembers { head.members }
        private(set) var isPlaylist = false

        init(_ scanner: JSONScanner) {
            self.scanner = scanner
        }

        mutating func read() throws(JSONSyntaxError) {
            guard try scanner.peek() == .object else { return }
            try scanner.beginObject()
            while let name = try scanner.nextMember() {
                if name.equals("playlist"), try scanner.peek() == .object {
                    try playlist()
                } else {
                    try scanner.skipValue()
                }
            }
            try scanner.finish()
        }

        private mutating func playlist() throws(JSONSyntaxError) {
            try scanner.beginObject()
            while let name = try scanner.nextMember() {
                let kind = try scanner.peek()
                if name.equals("track") {
                    isPlaylist = kind == .array
                    if isPlaylist { tracks = scanner }
                    try scanner.skipValue()
                    continue
                }
                var value: [UInt8] = []
                try scanner.copyValue(to: &value)
                add(name, kind, value)
            }
        }

        private mutating func add(_ name: JSONString, _ kind: JSONKind, _ value: [UInt8]) {
            switch name.string {
            case "extension" where kind == .object:
                let content = JSONMembers(trusted: Array(value.dropFirst().dropLast()))
                guard let own = content.value(of: ItemExtension.application), own.first == UInt8(ascii: "["),
                    let found = ItemExtension(json: Array(own.dropFirst().dropLast()))
                else { return append(Array(name.utf8), value) }
                for member in found.members { append(Array(member.name.utf8), Array(member.value)) }
            case "annotation" where kind == .string: append(Array("description".utf8), value)
            case "title" where kind != .string: break
            default:
                // Nothing of a collection is null.
                if kind != .null { append(Array(name.utf8), value) }
            }
        }

        private mutating func append(_ name: [UInt8], _ value: [UInt8]) {
            head.append(name: name, value: value)
        }
    }
}
