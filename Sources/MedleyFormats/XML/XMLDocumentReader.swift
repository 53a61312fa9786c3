import MedleyCore

/// Reads playlists, feeds, outlines and music libraries in XML: XSPF, RSS, Atom, OPML, property lists.
///
/// A document is read whole before its first entry: one that is broken, or cut off, gives nothing, and the error says
/// where. An entry in it that says nothing is refused with its line, and the others are read.
public struct XMLDocumentReader: RecordReader {
    /// The most entries that one document may have.
    static let entryLimit = 1_000_000
    /// The most bytes that names come to which entries have from what is around them.
    static let repeatedLimit = 16 << 20

    private var entries: ArraySlice<ImportedEntry>

    /// Not known before the records.
    public var columns: [[UInt8]]? { nil }

    /// The number of bytes read.
    public let bytesRead: Int

    /// All is read before the first entry.
    public var tellsProgress: Bool { false }

    /// Reads a document of one of the formats in XML. O(bytes); memory grows with the document.
    ///
    /// Throws `malformed`, `tooLarge`, `notUTF8` for an encoding that cannot be read, or what reading threw.
    public init(_ bytes: ByteReader, format: MediaFormat) throws(FormatError) {
        var bytes = bytes
        let source: any XMLSource =
            switch format {
            case .rss, .atom: FeedSource()
            case .opml: OPMLSource()
            case .musicLibrary: MusicLibrarySource()
            default: XSPFSource()
            }
        let root = try XMLReader.read(&bytes, source)
        entries = try source.entries(root)[...]
        bytesRead = bytes.offset
    }

    /// The next entry.
    public mutating func next() throws(FormatError) -> ImportedEntry? { entries.popFirst() }

    /// The format of the document that begins with these bytes, by its root element.
    ///
    /// Throws `malformed` if it is none that can be read.
    static func format(_ head: some Collection<UInt8>) throws(FormatError) -> MediaFormat {
        let root = try XMLProlog(head).root
        let name = root.split(separator: ":").last.map(String.init) ?? root
        switch name {
        case "rss", "RDF": return .rss
        case "feed": return .atom
        case "opml": return .opml
        case "playlist": return .xspf
        case "plist": return .musicLibrary
        case "html", "HTML":
            throw FormatError(.malformed, "the file is a web page, not a playlist or feed; is the address right?")
        default:
            throw FormatError(
                .malformed,
                "the XML element <\(String(name.prefix(80)))> begins none of the formats that can be imported: XSPF, "
                    + "RSS, Atom, OPML and music libraries")
        }
    }
}

/// What makes entries of one XML format.
protocol XMLSource: XMLVisitor {
    /// All entries, when the document has ended; `root` holds what was not taken.
    func entries(_ root: XMLNode) throws(FormatError) -> [ImportedEntry]
}

extension XMLSource {
    /// Throws if there are more entries than one document may have.
    func check(count: Int) throws(FormatError) {
        if count > XMLDocumentReader.entryLimit {
            throw FormatError(.tooLarge, "the document has more than \(XMLDocumentReader.entryLimit) entries")
        }
    }

    /// Throws if names that the document states once and many entries have come to more than that is worth: so few bytes
    /// could stand for very many.
    func check(repeatedBytes count: Int) throws(FormatError) {
        if count > XMLDocumentReader.repeatedLimit {
            throw FormatError(.tooLarge, "the names of groups and playlists come to more than 16 MiB in their entries")
        }
    }
}

extension SectionContent {
    /// A section with a title and other members; its id comes from the first text that is not empty.
    init(title: String, id candidates: [String?], fields: FieldList) {
        self.init(
            id: SectionID(utf8: EntryDraft.id(candidates + [title]) ?? Array("items".utf8)),
            members: fields.members(title: title))
    }
}
