/// The formats of files that can be imported.
public enum MediaFormat: String, Hashable, Sendable, CaseIterable {
    /// A table of comma-separated values with a header.
    case csv
    /// The service's own snapshot form.
    case snapshot
    /// A JSON array of objects.
    case jsonArray
    /// One JSON object on each line.
    case jsonLines
}
