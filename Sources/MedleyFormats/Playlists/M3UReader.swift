import MedleyCore

/// Reads M3U playlists, plain and extended (`#EXTM3U`, `#EXTINF`), UTF-8 or Windows-1252, in the memory of one entry.
///
/// A location that is an absolute URL becomes `url`, an absolute path a `file` URL, anything else `path`. `group-title`
/// and `#EXTGRP` become sections; entries without are in a section named after the playlist. Directives and attributes
/// that mean nothing here are kept as members under their own names, remarks are skipped.
/// A directive between `#EXTINF` and the location is about that entry; `#EXTGRP`, `#EXTALB`, `#EXTART` and `#EXTGENRE`
/// before it are about all entries that follow, until the next of the name.
public struct M3UReader: RecordReader {
    /// The most bytes of a `#MEDLEY` line: a model and a section, each as large as it may be.
    private static let ownLimit = 3 << 20
    private static let ownStart = Array("#MEDLEY:".utf8)

    private var lines: LineReader
    private var queue: [ImportedEntry] = []
    private var head = CollectionMembers()
    private var headIsDue = false
    private var name: [UInt8]?
    private var entry = M3UEntry()
    private var shared: [String: [UInt8]] = [:]
    private var encoding: String?
    private var hasNotedEncoding = false
    private var hasRecords = false

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read so far.
    public var bytesRead: Int { lines.bytes.offset }

    /// Starts at the first line; `name` names the section of entries without a group until `#PLAYLIST` does.
    public init(_ bytes: ByteReader, name: [UInt8]? = nil) {
        lines = LineReader(bytes, limit: Self.ownLimit)
        self.name = name
    }

    /// The next entry.
    ///
    /// Throws `unsupported` at a directive that only the playlists of HTTP Live Streaming have.
    public mutating func next() throws(FormatError) -> ImportedEntry? {
        while queue.isEmpty {
            guard let line = try lines.next() else {
                finish()
                return queue.isEmpty ? nil : queue.removeFirst()
            }
            try take(line)
        }
        return queue.removeFirst()
    }

    private mutating func take(_ line: LineReader.Line) throws(FormatError) {
        var line = line
        if line.text.count > LineReader.limit, !line.text.starts(with: Self.ownStart) { line.isTooLong = true }
        if let problem = line.problem {
            refuse(line.number, problem)
            // A location ends the entry; of a directive the entry goes without it, which is not what the file has.
            if line.first != UInt8(ascii: "#") { entry = M3UEntry() }
            return
        }
        if line.wasRecoded, !hasNotedEncoding {
            hasNotedEncoding = true
            let stated = encoding.map { ", though #EXTENC says \($0)" } ?? ""
            note(line.number, "lines that are not UTF-8 are read as Windows-1252\(stated)")
        }
        guard let first = line.text.first else { return }
        if first == UInt8(ascii: "#") {
            try directive(line)
        } else {
            emit(line: line.number, location: line.text)
        }
    }

    private mutating func refuse(_ line: Int, _ reason: String) {
        queue.append(.refusal(ImportRefusal(line: line, reason: reason)))
        entry.isRefused = true
    }

    private mutating func finish() {
        if entry.info != nil {
            emit(line: entry.info?.line ?? 1, location: nil)
        } else if !entry.isRefused, !entry.directives.isEmpty || entry.own != nil {
            note(1, "directives behind the last entry were skipped")
        }
        entry = M3UEntry()
        sendHead()
    }

    private mutating func note(_ line: Int, _ message: String) {
        queue.append(.notice(ImportNotice(line: line, message: message)))
    }

    private mutating func sendHead() {
        guard headIsDue else { return }
        headIsDue = false
        queue.append(.collection(head.members))
    }

    /// Ends an entry; a `nil` location is one that is missing.
    private mutating func emit(line: Int, location: [UInt8]?) {
        sendHead()
        guard !entry.isRefused else {
            entry = M3UEntry()
            return
        }
        let group = entry.info?.attribute("group-title") ?? entry.texts["EXTGRP"] ?? shared["EXTGRP"] ?? name
        let section = group.flatMap { $0.isEmpty ? nil : SectionContent(titled: $0) }
        let start = entry.info?.line ?? line
        if let record = entry.record(line: start, location: location, shared: shared, section: section) {
            if location == nil, entry.own == nil {
                note(start, "an entry has no location; it is kept with what is said of it")
            }
            queue.append(.record(record))
            hasRecords = true
        } else {
            queue.append(.refusal(ImportRefusal(line: start, reason: "an entry without a title and a location")))
        }
        entry = M3UEntry()
    }
}

// Directives.
extension M3UReader {
    private mutating func directive(_ line: LineReader.Line) throws(FormatError) {
        let text = line.text
        var end = 1
        while end < text.count, text[end].isLetter || text[end].isDigit || text[end] == UInt8(ascii: "-") { end += 1 }
        let name = String(decoding: text[1..<end], as: UTF8.self).uppercased()
        let hasColon = end < text.count && text[end] == UInt8(ascii: ":")
        let value = Array(text[min(text.count, hasColon ? end + 1 : end)...]).trimmed
        // A second one takes the place of the first, so that there is one at a time.
        if name != "MEDLEY" { entry.byteCount += text.count }
        if entry.byteCount > LineReader.limit, name != "EXTINF" {
            return refuse(line.number, "the entry has more than 1 MiB")
        }
        switch name {
        case "EXTM3U": header(text, from: end)
        case "EXTINF" where hasColon:
            if entry.info != nil { emit(line: line.number, location: nil) }
            entry.info = M3UEntry.Info(value, line: line.number)
        case "EXTGRP", "EXTALB", "EXTART", "EXTGENRE":
            if entry.info == nil { shared[name] = value } else { entry.texts[name] = value }
        case "EXTIMG", "EXTALBUMARTURL":
            if entry.image == nil { entry.image = value } else { entry.keep(Array(name.utf8), value) }
        case "PLAYLIST": playlist(value, line.number)
        case "EXTENC": encoding = String(decoding: value.prefix(40), as: UTF8.self)
        case "MEDLEY": own(value, line.number)
        case _ where name.hasPrefix("EXT-X-") && name != "EXT-X-SESSION-DATA":
            throw FormatError(
                .unsupported,
                "an HTTP Live Streaming playlist (#\(name)): its entries are pieces of one medium; "
                    + "import the playlist's own address as an item's url", line: line.number)
        case _ where isDirective(text[1..<end]) && (hasColon || value.isEmpty): entry.keep(Array(text[1..<end]), value)
        default: break
        }
    }

    /// Whether a name is that of a directive, rather than the first word of a remark.
    private func isDirective(_ name: ArraySlice<UInt8>) -> Bool {
        name.count > 3 && name.allSatisfy { !$0.isLetter || $0 & 0x20 == 0 }
    }

    private mutating func header(_ text: [UInt8], from start: Int) {
        let found = M3UAttributes(text, from: start)
        for attribute in found.attributes where !attribute.value.isEmpty {
            guard !attribute.name.isEqual(to: "title"),
                head.append(name: attribute.name, value: attribute.value.jsonString)
            else { continue }
            headIsDue = true
        }
    }

    private mutating func playlist(_ title: [UInt8], _ line: Int) {
        guard !title.isEmpty else { return }
        if !hasRecords, head.append(name: Array("title".utf8), value: title.jsonString) {
            headIsDue = true
        } else {
            note(line, "another #PLAYLIST, or one behind entries; it names a section only")
        }
        name = title
    }

    private mutating func own(_ value: [UInt8], _ line: Int) {
        if let own = ItemExtension(json: value) {
            entry.own = own
        } else {
            entry.byteCount += value.count
            guard entry.byteCount <= LineReader.limit else {
                return refuse(line, "a #MEDLEY directive that cannot be read")
            }
            note(line, "a #MEDLEY directive that cannot be read; it is kept as text")
            entry.keep(Array("MEDLEY".utf8), value)
        }
    }
}
