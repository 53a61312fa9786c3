/// What somebody says of a file's format, by a name or by a media type; the content tells the rest.
public enum StatedFormat: Hashable, Sendable {
    /// Nothing.
    case byContent
    /// One of the formats in JSON.
    case json
    /// One of the formats in XML.
    case xml
    /// A format. RSS and Atom stand for each other, and a table's separator is still told by its header.
    case format(MediaFormat)

    /// The names by which formats are asked for, in the order in which they are listed.
    public static let names = [
        "csv", "tsv", "json", "jsonl", "m3u", "pls", "xspf", "jspf", "rss", "atom", "opml", "plist", "xml", "folder",
    ]

    /// The format of a name such as `m3u`; `nil` if there is none. An extension of a file's name does as well.
    public init?(name: String) {
        switch name.lowercased() {
        case "json": self = .json
        case "xml": self = .xml
        case "folder": self = .format(.folder)
        case let name:
            guard let format = MediaFormat(fileExtension: name) else { return nil }
            self = .format(format)
        }
    }

    /// What a media type says, without its parameters and in lower case; `nil` if nothing of that type can be imported.
    ///
    /// `application/octet-stream` says nothing, and no type that a web page may send without asking is among them.
    public init?(mediaType: String) {
        guard let found = Self.mediaTypes.first(where: { $0.type == mediaType }) else { return nil }
        self = found.format
    }

    /// The media types of what can be imported; the first of a format is the one to send.
    public static let mediaTypes: [(type: String, format: StatedFormat)] = [
        ("text/csv", .format(.csv)), ("application/csv", .format(.csv)),
        ("text/comma-separated-values", .format(.csv)),
        ("text/tab-separated-values", .format(.tsv)),
        ("application/json", .json),
        ("application/x-ndjson", .format(.jsonLines)), ("application/ndjson", .format(.jsonLines)),
        ("application/jsonl", .format(.jsonLines)), ("application/x-jsonlines", .format(.jsonLines)),
        ("application/json-lines", .format(.jsonLines)),
        ("audio/x-mpegurl", .format(.m3u)), ("audio/mpegurl", .format(.m3u)),
        ("application/x-mpegurl", .format(.m3u)), ("application/mpegurl", .format(.m3u)),
        ("application/vnd.apple.mpegurl", .format(.m3u)), ("application/vnd.apple.mpegurl.audio", .format(.m3u)),
        ("audio/x-scpls", .format(.pls)), ("audio/scpls", .format(.pls)), ("application/pls+xml", .format(.pls)),
        ("application/xspf+xml", .format(.xspf)),
        ("application/jspf+json", .format(.jspf)),
        ("application/rss+xml", .format(.rss)), ("application/rdf+xml", .format(.rss)),
        ("application/atom+xml", .format(.atom)),
        ("text/x-opml", .format(.opml)), ("text/x-opml+xml", .format(.opml)), ("application/opml+xml", .format(.opml)),
        ("application/x-plist", .format(.musicLibrary)), ("application/x-apple-plist", .format(.musicLibrary)),
        ("application/xml", .xml), ("text/xml", .xml),
        ("application/octet-stream", .byContent),
    ]
}

extension MediaFormat {
    /// Whether files of the format are XML documents.
    var isXML: Bool {
        switch self {
        case .xspf, .rss, .atom, .opml, .musicLibrary: true
        default: false
        }
    }
}
