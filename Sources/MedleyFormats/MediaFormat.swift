/// The formats of files that are imported and exported.
///
/// docs/formats.md says what each of them holds.
public enum MediaFormat: String, Hashable, Sendable, CaseIterable {
    /// A table of comma- or semicolon-separated values with a header.
    case csv
    /// A table of tab-separated values with a header.
    case tsv
    /// The service's own snapshot form.
    case snapshot
    /// A JSON array of objects.
    case jsonArray
    /// One JSON object on each line.
    case jsonLines
    /// An M3U playlist, plain or extended.
    case m3u
    /// A PLS playlist.
    case pls
    /// An XSPF playlist: XML.
    case xspf
    /// A JSPF playlist: XSPF as JSON.
    case jspf
    /// An RSS feed; 2.0 is what is written.
    case rss
    /// An Atom feed.
    case atom
    /// An OPML outline: a list of subscriptions.
    case opml
    /// The music library that iTunes and Music export.
    case musicLibrary
    /// A folder of media files.
    case folder
}

extension MediaFormat {
    /// The media type by which HTTP names it. That of a folder is the one by which file systems name it.
    public var mediaType: String {
        switch self {
        case .csv: "text/csv"
        case .tsv: "text/tab-separated-values"
        case .snapshot, .jsonArray: "application/json"
        case .jsonLines: "application/x-ndjson"
        case .m3u: "audio/x-mpegurl"
        case .pls: "audio/x-scpls"
        case .xspf: "application/xspf+xml"
        case .jspf: "application/jspf+json"
        case .rss: "application/rss+xml"
        case .atom: "application/atom+xml"
        case .opml: "text/x-opml"
        case .musicLibrary: "application/x-plist"
        case .folder: "inode/directory"
        }
    }

    /// The extensions of files' names, in lower case; the first is the one to give.
    public var fileExtensions: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .snapshot, .jsonArray: ["json"]
        case .jsonLines: ["jsonl", "ndjson"]
        case .m3u: ["m3u8", "m3u"]
        case .pls: ["pls"]
        case .xspf: ["xspf"]
        case .jspf: ["jspf"]
        case .rss: ["rss"]
        case .atom: ["atom"]
        case .opml: ["opml"]
        case .musicLibrary: ["plist"]
        case .folder: []
        }
    }

    /// The format that a file's extension names; `nil` for one that names none or several.
    public init?(fileExtension: String) {
        let wanted = fileExtension.lowercased()
        let found = Self.allCases.filter { $0.fileExtensions.contains(wanted) }
        guard found.count == 1 else { return nil }
        self = found[0]
    }
}
