/// The formats of files that are imported and exported.
///
/// What an export loses, on the way out and in again:
///
/// | format | items' members | sections | the collection's members |
/// |---|---|---|---|
/// | `snapshot` | nothing | nothing | nothing |
/// | `jsonLines` | nothing; an own `section` becomes `section-2` | empty ones | all |
/// | `jspf` | nothing | empty ones | nothing |
/// | `m3u` | nothing | empty ones | all but `title` and texts that can be attributes |
/// | `xspf` | nothing but control characters in names | empty ones, members but `title` | all but `title`, `creator` and `description` |
/// | `csv`, `tsv` | kinds: everything comes back as text; empty texts; NUL characters | empty ones, members but `title` | all |
/// | `rss` | `type`, `liked`, and what an RSS item has no element for | empty ones, ids | all but `title` and `description` |
/// | `pls` | all but `title`, `artist` (joined to one text), `duration`, `url` or `path`; ids | all | all |
///
/// A table, M3U, PLS and RSS state the model's members in an order of their own.
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
    /// An RSS 2.0 feed.
    case rss
}

extension MediaFormat {
    /// The media type by which HTTP names it.
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
        }
    }

    /// Whether an item's section comes back.
    public var holdsSections: Bool {
        switch self {
        case .pls, .jsonArray: false
        default: true
        }
    }

    /// Whether all members of an item come back, and none but for its value's kind is changed.
    public var holdsAllMembers: Bool {
        switch self {
        case .pls, .rss, .csv, .tsv: false
        default: true
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
