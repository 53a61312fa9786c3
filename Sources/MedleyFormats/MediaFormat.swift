/// The formats of what can be imported.
public enum MediaFormat: String, Hashable, Sendable, CaseIterable {
    /// A table of comma-separated values with a header.
    case csv
    /// The service's own snapshot form.
    case snapshot
    /// A JSON array of objects.
    case jsonArray
    /// One JSON object on each line.
    case jsonLines
    /// An XSPF playlist.
    case xspf
    /// An RSS feed.
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
