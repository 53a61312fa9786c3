import JSONText

/// A file that can be imported, its format told by its content, with the name's extension as a hint.
public enum MediaFile {
    private static let headSize = 4096
    private static let lineLimit = CSVParser.rowLimit

    /// Opens a file (`-` is standard input), or a folder of media files, for reading its records.
    ///
    /// Throws `notFound`, `unreadable`, `empty`, `binary`, `notUTF8`, `malformed` or `tooLarge`.
    public static func open(path: String) throws(FormatError) -> (format: MediaFormat, reader: any RecordReader) {
        if path != "-", FolderReader.isFolder(path) == true {
            return (.folder, try FolderReader(path: path))
        }
        return try open(ByteReader(path: path), name: path)
    }

    /// The reader for bytes that come from a file of this name.
    public static func open(
        _ bytes: ByteReader, name: String
    ) throws(FormatError) -> (format: MediaFormat, reader: any RecordReader) {
        var bytes = bytes
        let format = try format(&bytes, fileExtension: fileExtension(of: name))
        switch format {
        case .csv: return (format, try CSVReader(bytes))
        case .snapshot: return (format, try SnapshotReader(bytes))
        case .jsonArray: return (format, JSONReader(bytes))
        case .jsonLines: return (format, JSONLinesReader(bytes))
        case .xspf, .rss, .atom, .opml, .musicLibrary:
            return (format, try XMLDocumentReader(bytes, format: format))
        case .folder: throw FormatError(.unreadable, "a folder is opened by its path")
        }
    }

    private static func fileExtension(of name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return "" }
        return last[last.index(after: dot)...].lowercased()
    }

    /// Tells the format; a byte order mark is skipped.
    private static func format(_ bytes: inout ByteReader, fileExtension: String) throws(FormatError) -> MediaFormat {
        let head = try bytes.lookahead(headSize).prefix(headSize)
        if XMLProlog.isUTF16(head) { return try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit)) }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            throw FormatError(.notUTF8, "the file is UTF-16; convert it first (iconv -f UTF-16 -t UTF-8)")
        }
        if head.contains(0) || head.starts(with: [0x1F, 0x8B]) || head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
            throw FormatError(.binary, "the file is binary, not text; CSV, JSON and JSON Lines can be imported")
        }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.skip(3) }
        guard let first = try bytes.lookahead(headSize).first(where: { !$0.isJSONSpace }) else {
            throw FormatError(.empty, "the file is empty")
        }
        if fileExtension == "csv" { return .csv }
        switch first {
        case UInt8(ascii: "["): return .jsonArray
        case UInt8(ascii: "{"): return try objectFormat(&bytes, fileExtension: fileExtension)
        case UInt8(ascii: "<"): return try XMLDocumentReader.format(bytes.lookahead(XMLProlog.limit))
        default: break
        }
        switch fileExtension {
        case "json": throw FormatError(.malformed, "the file is not JSON: it begins with neither { nor [")
        case "jsonl", "ndjson": return .jsonLines
        default: return .csv
        }
    }

    /// Tells the snapshot form from JSON Lines: a first line that is a whole object is a record, unless it is all there
    /// is and has sections.
    private static func objectFormat(
        _ bytes: inout ByteReader, fileExtension: String
    ) throws(FormatError) -> MediaFormat {
        var line = try bytes.lookaheadLine(limit: lineLimit)
        if line == nil { line = try bytes.lookahead(lineLimit) }
        var scanner = JSONScanner(Array(line ?? []))
        guard let members = try? scanner.members(), (try? scanner.finish()) != nil else {
            return fileExtension == "jsonl" || fileExtension == "ndjson" ? .jsonLines : .snapshot
        }
        return members.value(of: "sections")?.first == UInt8(ascii: "[") ? .snapshot : .jsonLines
    }
}
