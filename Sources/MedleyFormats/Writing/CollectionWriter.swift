public import JSONText
public import MedleyCore

/// What is said of a collection before its items.
public struct CollectionHead: Hashable, Sendable {
    /// The collection's own members, its title among them.
    public var members: JSONMembers
    /// The absolute URL under which it is found, for a feed.
    public var address: String?
    /// The names of all members that items have, none twice: a table's columns. Other formats do not need them.
    public var memberNames: [[UInt8]]

    /// Creates a head.
    public init(members: JSONMembers, address: String? = nil, memberNames: [[UInt8]] = []) {
        self.members = members
        self.address = address
        self.memberNames = memberNames
    }
}

/// Writes a collection in a format, part by part, so that one of any size needs no more memory than an item.
///
/// The order is `begin(_:)` with the head, for each section `begin(_:)` and its items, `end(to:)`. Each appends what can
/// be written by then; the caller takes the bytes out of the buffer when it likes. Nothing is ever refused: what a
/// format cannot hold is left out, as docs/formats.md says.
public protocol CollectionWriter {
    /// Writes what comes before all sections. O(bytes).
    mutating func begin(_ head: CollectionHead, to output: inout [UInt8])
    /// Starts a section, which may stay empty. O(bytes).
    mutating func begin(_ section: SectionContent, to output: inout [UInt8])
    /// Writes an item of the section begun last. O(bytes).
    mutating func append(_ item: ItemContent, to output: inout [UInt8])
    /// Writes what comes after all sections. O(1).
    mutating func end(to output: inout [UInt8])
}

extension MediaFormat {
    /// A new writer of the format; `nil` for `jsonArray`, whose like is `jsonLines`, and for what is only read.
    public func makeWriter() -> (any CollectionWriter)? {
        switch self {
        case .csv: TableWriter(separator: UInt8(ascii: ","))
        case .tsv: TableWriter(separator: 0x09)
        case .snapshot: SnapshotWriter()
        case .jsonLines: JSONLinesWriter()
        case .m3u: M3UWriter()
        case .pls: PLSWriter()
        case .xspf: XSPFWriter()
        case .jspf: JSPFWriter()
        case .rss: RSSWriter()
        case .jsonArray, .atom, .opml, .musicLibrary, .folder: nil
        }
    }

    /// Whether a writer needs `CollectionHead.memberNames`.
    public var needsMemberNames: Bool { self == .csv || self == .tsv }
}
