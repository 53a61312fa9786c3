/// The segments of a path: split on `/` first, then each percent-decoded once, so that `%2F` is part of a segment.
///
/// `/` has none; `/v1/` is `["v1", ""]` and `/v1//a` is `["v1", "", "a"]`: an empty segment is one like others, so a path
/// with a trailing slash matches nothing that is written without it. Compare ids by their UTF-8: Swift's `==` on strings
/// takes the two normal forms of `é` for the same.
package struct PathSegments: Hashable, Sendable, RandomAccessCollection {
    /// The decoded segments.
    package let segments: [String]

    /// Splits a raw path; `nil` if it does not begin with `/`, an escape is malformed or a segment is not UTF-8.
    package init?(_ path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var segments: [String] = []
        if path.utf8.count > 1 {
            for raw in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
                guard let segment = PercentEncoding.decode(raw) else { return nil }
                segments.append(segment)
            }
        }
        self.segments = segments
    }

    /// 0.
    package var startIndex: Int { 0 }
    /// The number of segments.
    package var endIndex: Int { segments.count }
    /// A segment.
    package subscript(index: Int) -> String { segments[index] }
}
