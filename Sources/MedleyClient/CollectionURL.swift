public import Foundation

/// Where a collection lives: `http://HOST:PORT/v1/collections/NAME`, perhaps behind a prefix that a proxy adds.
public struct CollectionURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL, without a slash at the end.
    public let description: String
    /// The collection's id.
    public let collectionID: String

    /// Reads a URL; throws `invalidURL` with what is wrong with it.
    public init(_ text: String) throws(ClientError) {
        var components = try Self.components(
            of: text, kind: "a collection's URL is http://HOST:PORT/v1/collections/NAME")
        let segments = components.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 4, segments.suffix(3).prefix(2).elementsEqual(["v1", "collections"]) else {
            throw ClientError(
                .invalidURL,
                "\(text): no collection named; a collection's URL is http://HOST:PORT/v1/collections/NAME")
        }
        let name = String(segments[segments.count - 1]).removingPercentEncoding ?? ""
        try Self.check(collectionID: name, of: "\(text): ")
        components.percentEncodedPath = segments.dropLast().joined(separator: "/") + "/" + name
        description = components.string ?? text
        collectionID = name
    }

    /// The URL of a collection of the server at `service`: `https://media.example`, perhaps with a path that a proxy
    /// adds. Throws `invalidURL`.
    public init(of collectionID: String, at service: URL) throws(ClientError) {
        try Self.check(collectionID: collectionID, of: "")
        description = try Self.collections(at: service) + "/" + collectionID
        self.collectionID = collectionID
    }

    /// The URL of the list of all collections.
    static func collections(at service: URL) throws(ClientError) -> String {
        let text = service.absoluteString
        let components = try Self.components(of: text, kind: "a server's URL is http://HOST:PORT")
        return (components.string ?? text) + "/v1/collections"
    }

    /// The parts of a URL, without a slash at the end, or what is wrong with it.
    private static func components(of text: String, kind: String) throws(ClientError) -> URLComponents {
        func invalid(_ reason: String) -> ClientError { ClientError(.invalidURL, "\(text): \(reason); \(kind)") }
        guard var components = URLComponents(string: text) else { throw invalid("not a URL") }
        let scheme = components.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { throw invalid("neither http:// nor https://") }
        guard let host = components.host, !host.isEmpty else { throw invalid("no host") }
        guard components.user == nil, components.password == nil else { throw invalid("a user name is not used") }
        guard components.query == nil, components.fragment == nil else {
            throw invalid("a query or fragment has no meaning here")
        }
        if components.percentEncodedPath.hasSuffix("/") { components.percentEncodedPath.removeLast() }
        return components
    }

    /// Throws unless a text is `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
    private static func check(collectionID text: String, of url: String) throws(ClientError) {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, isAlphanumeric(first),
            text.utf8.allSatisfy({ isAlphanumeric($0) || ".-_".utf8.contains($0) })
        else { throw ClientError(.invalidURL, "\(url)\"\(text)\" cannot be a collection's id") }
    }
}
