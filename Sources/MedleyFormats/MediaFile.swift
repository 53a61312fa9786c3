import JSONText

/// A file that can be imported, its format told by its content, with the name's extension as a hint.
public enum MediaFile {
    private static let headSize = 4096
    private static let lineLimit = ImportedRecord.byteLimit

    /// Opens a file (`-` is standard input), or a folder of media files, for reading its records.
    ///
    /// Throws `notFound`, `unreadable`, `empty`, `binary`, `notUTF8`, `malformed` or `tooLarge`.
    public static func open(
        path: String, as stated: StatedFormat = .byContent
    ) throws(FormatError) -> (format: MediaFormat, reader: any RecordReader) {
        if path != "-", FolderReader.isFolder(path) == true {
            guard stated == .byContent || stated == .format(.folder) else {
                throw FormatError(.directory, "\(path) is a directory, not a file")
            }
            return (.folder, try FolderReader(path: path))
        }
        return try open(ByteReader(path: path), name: path, as: stated)
    }

    /// The reader for bytes that come from a file of this name; what is stated of their format wins over what they tell.
    public static func open(
        _ bytes: ByteReader, name: String, as stated: StatedFormat = .byContent
    ) throws(FormatError) -> (format: MediaFormat, reader: any RecordReader) {
        var bytes = bytes
        let format = try format(&bytes, stated, fileExtension: fileExtension(of: name))
        let stem = stem(of: name)
        switch format {
        case .csv, .tsv: return try table(bytes, format)
        case .m3u: return (format, M3UReader(bytes, name: stem))
        case .pls: return (format, try PLSReader(bytes, name: stem))
        case .jspf: return (format, try JSPFReader(bytes, name: stem))
        case .snapshot: return (format, try SnapshotReader(bytes))
        case .jsonArray: return (format, JSONReader(bytes))
        case .jsonLines: return (format, JSONLinesReader(bytes))
        case .xspf, .rss, .atom, .opml, .musicLibrary:
            return (format, try XMLDocumentReader(bytes, format: format))
        case .folder: throw FormatError(.unreadable, "a folder is opened by its path")
        }
    }

    private static let importable = "playlists, feeds, music libraries, tables and JSON can be imported"

    /// A table, whose separator a file of the name `.csv` does not tell.
    private static func table(
        _ bytes: ByteReader, _ format: MediaFormat
    ) throws(FormatError) -> (format: MediaFormat, reader: any RecordReader) {
        var bytes = bytes
        let separator = format == .tsv ? 0x09 : try TableDialect.separator(of: &bytes)
        return (separator == 0x09 ? .tsv : .csv, try CSVReader(bytes, separator: separator))
    }

    private static func fileExtension(of name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return "" }
        return last[last.index(after: dot)...].lowercased()
    }

    /// What a playlist without a name is called: the file's name without its extension.
    private static func stem(of name: String) -> [UInt8]? {
        guard name != "-", let last = name.split(separator: "/").last else { return nil }
        let dot = last.lastIndex(of: ".").flatMap { $0 == last.startIndex ? nil : $0 } ?? last.endIndex
        return Array(last[..<dot].utf8)
    }

    /// The format that is stated, or the one that the content tells within what is stated.
    private static func format(
        _ bytes: inout ByteReader, _ stated: StatedFormat, fileExtension: String
    ) throws(FormatError) -> MediaFormat {
        switch stated {
        case .byContent: return try format(&bytes, fileExtension: fileExtension)
        case .json: return try format(&bytes, fileExtension: "json")
        case .xml:
            try checkHead(&bytes)
            return try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit))
        case .format(let format):
            let isUTF16 = try checkHead(&bytes)
            guard format.isXML else {
                if isUTF16 {
                    throw FormatError(.notUTF8, "the file is UTF-16; convert it first (iconv -f UTF-16 -t UTF-8)")
                }
                return format
            }
            let found = try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit))
            guard found == format || Set([found, format]) == [.rss, .atom] else {
                throw FormatError(.malformed, "the XML document is \(found.rawValue), not \(format.rawValue)", line: 1)
            }
            return found
        }
    }

    /// Tells the format; a byte order mark is skipped.
    private static func format(_ bytes: inout ByteReader, fileExtension: String) throws(FormatError) -> MediaFormat {
        if try checkHead(&bytes) { return try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit)) }
        let first = try bytes.lookahead(headSize).first { !$0.isJSONSpace } ?? 0
        let own = MediaFormat(fileExtension: fileExtension)
        if own == .csv || own == .tsv { return own ?? .csv }
        let start = try bytes.lookahead(headSize).drop(while: \.isJSONSpace).prefix(10)
        let opening = String(decoding: start, as: UTF8.self).uppercased()
        if opening.hasPrefix("#EXT") { return .m3u }
        if opening == "[PLAYLIST]" { return .pls }
        // Before the playlists' extensions: a page that says why there is no playlist is often saved under its name.
        if first == UInt8(ascii: "<") { return try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit)) }
        if let own, [.m3u, .pls, .jspf].contains(own) { return own }
        switch first {
        case UInt8(ascii: "["): return .jsonArray
        case UInt8(ascii: "{"): return try objectFormat(&bytes, fileExtension: fileExtension)
        default: break
        }
        switch fileExtension {
        case "json": throw FormatError(.malformed, "the file is not JSON: it begins with neither { nor [")
        case "jsonl", "ndjson": return .jsonLines
        default: return .csv
        }
    }

    /// Refuses what is no text, and what is empty, and skips a byte order mark; returns whether it is XML in UTF-16.
    @discardableResult
    private static func checkHead(_ bytes: inout ByteReader) throws(FormatError) -> Bool {
        let head = try bytes.lookahead(headSize).prefix(headSize)
        if XMLProlog.isUTF16(head) { return true }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            throw FormatError(.notUTF8, "the file is UTF-16; convert it first (iconv -f UTF-16 -t UTF-8)")
        }
        if head.contains(0) || head.starts(with: [0x1F, 0x8B]) || head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            throw FormatError(.binary, "the file is binary, not text; \(importable)")
        }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.skip(3) }
        guard try bytes.lookahead(headSize).contains(where: { !$0.isJSONSpace }) else {
            throw FormatError(.empty, "the file is empty")
        }
        return false
    }

    /// Whether the text begins with an object whose first member is an object `playlist`.
    private static func isJSPF(_ bytes: inout ByteReader) throws(FormatError) -> Bool {
        var rest = try bytes.lookahead(headSize)
        for token in ["{", "\"playlist\"", ":", "{"] {
            rest = rest.drop(while: \.isJSONSpace)
            guard rest.starts(with: token.utf8) else { return false }
            rest = rest.dropFirst(token.utf8.count)
        }
        return true
    }

    /// Tells the snapshot form from JSON Lines: a first line that is a whole object is a record, unless it is all there
    /// is and has sections.
    private static func objectFormat(
        _ bytes: inout ByteReader, fileExtension: String
    ) throws(FormatError) -> MediaFormat {
        if fileExtension != "jsonl", fileExtension != "ndjson", try isJSPF(&bytes) { return .jspf }
        var line = try bytes.lookaheadLine(limit: lineLimit)
        if line == nil { line = try bytes.lookahead(lineLimit) }
        var scanner = JSONScanner(Array(line ?? []))
        guard let members = try? scanner.members(), (try? scanner.finish()) != nil else {
            return fileExtension == "jsonl" || fileExtension == "ndjson" ? .jsonLines : .snapshot
        }
        return members.value(of: "sections")?.first == UInt8(ascii: "[") ? .snapshot : .jsonLines
    }
}
