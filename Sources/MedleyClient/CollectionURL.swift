import Foundation

/// Where a collection lives: `http://HOST:PORT/v1/collections/NAME`, perhaps behind a prefix that a proxy adds.
public struct CollectionURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL, without a slash at the end.
    public let description: String
    /// The collection's id.
    public let collectionID: String

    /// Reads a URL; throws `invalidURL` with what is wrong with it.
    public init(_ text: String) throws(ClientError) {
        func invalid(_ reason: String) -> ClientError {
            ClientError(
                .invalidURL, "\(text): \(reason); a collection's URL is http://HOST:PORT/v1/collections/NAME")
        }
        guard var components = URLComponents(string: text) else { throw invalid("not a URL") }
        let scheme = components.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw invalid("neither http:// nor https://") }
        guard let host = components.host, !host.isEmpty else { throw invalid("no host") }
        guard components.user == nil, components.password == nil else { throw invalid("a user name is not used") }
        guard components.query == nil, components.fragment == nil else {
            throw invalid("a query or fragment has no meaning here")
        }
        var path = components.percentEncodedPath
        if path.hasSuffix("/") { path.removeLast() }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 4, segments.suffix(3).prefix(2).elementsEqual(["v1", "collections"]) else {
            throw invalid("no collection named")
        }
        let name = String(segments[segments.count - 1]).removingPercentEncoding ?? ""
        guard Self.isCollectionID(name) else { throw invalid("\"\(name)\" cannot be a collection's id") }
        components.percentEncodedPath = segments.dropLast().joined(separator: "/") + "/" + name
        description = components.string ?? text
        collectionID = name
    }

    /// Whether a text is `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
    private static func isCollectionID(_ text: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first) else {
            return false
        }
        return text.utf8.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
    }
}
