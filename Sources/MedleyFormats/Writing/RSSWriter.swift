import JSONText
public import MedleyCore
import MedleyJSON

/// Writes an RSS 2.0 feed with the elements of podcasts: each item's medium is its enclosure, its id the `guid`, its
/// section a `category`. Members that the reader makes of an element are written as that element.
///
/// `mimeType`, `size` and `link` of an item, where it has them, say what the enclosure is and where the item's page is.
/// Without `mimeType`, the name's extension tells the media type; without `size`, the length is 0, which readers take
/// for unknown.
public struct RSSWriter: CollectionWriter {
    private static let mediaTypes = [
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg",
        "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav", "mp4": "video/mp4", "m4v": "video/mp4",
        "mov": "video/quicktime", "webm": "video/webm", "mkv": "video/x-matroska", "avi": "video/x-msvideo",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "pdf": "application/pdf", "epub": "application/epub+zip", "m3u8": "application/vnd.apple.mpegurl",
    ]

    private var category: [UInt8]?

    /// Creates a writer for one feed.
    public init() {}

    /// Writes the channel's elements; `title`, `link` and `description` are there in any case, as the format demands.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        let members = ItemMembers(head.members)
        let opening = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/">
            <channel>

            """
        output += Array(opening.utf8)
        let title = members.text("title").flatMap { $0.isEmpty ? nil : $0 } ?? Array("Untitled".utf8)
        XMLText.append(element: "title", title, to: &output)
        let link = head.address.map { Array($0.utf8) } ?? members.text("link") ?? members.text("url")
        XMLText.append(element: "link", link ?? Array(ItemExtension.application.utf8), to: &output)
        let description = members.text("description").flatMap { $0.isEmpty ? nil : $0 }
        XMLText.append(element: "description", description ?? title, to: &output)
        XMLText.append(element: "itunes:author", members.text("creator"), to: &output)
        image(members.text("artworkURL"), to: &output)
    }

    /// Starts a section, the category of its items.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        category = section.members.string(of: "title").map { Array($0) }
    }

    /// Writes an item.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        let members = ItemMembers(item.model)
        let url = members.text("url")
        output.append(token: "<item>\n")
        // A reader demands one of the two.
        let title = members.text("title").flatMap { $0.isEmpty ? nil : $0 }
        XMLText.append(element: "title", title ?? item.id.utf8, to: &output)
        XMLText.append(element: "link", members.text("link") ?? url, to: &output)
        XMLText.append(element: "description", members.text("description"), to: &output)
        XMLText.append(element: "itunes:author", members.text("artist") ?? members.text("creator"), to: &output)
        XMLText.append(element: "content:encoded", members.text("content"), to: &output)
        categories(members.value("categories"), to: &output)
        if let url { enclosure(url, members, to: &output) }
        output.append(token: "<guid isPermaLink=\"false\">")
        XMLText.append(item.id.utf8, to: &output)
        output.append(token: "</guid>\n")
        let date = members.text("publishedAt").flatMap { FeedDate.text($0) }
        XMLText.append(element: "pubDate", date, to: &output)
        let duration = members.value("duration").flatMap { PlaylistDuration.milliseconds(seconds: $0) }
        XMLText.append(element: "itunes:duration", duration.map { Array("\(($0 + 500) / 1000)".utf8) }, to: &output)
        image(members.text("artworkURL"), to: &output)
        for (member, element) in Self.elements {
            XMLText.append(element: element, members.value(member).flatMap(Self.plain), to: &output)
        }
        output.append(token: "</item>\n")
    }

    /// Closes what is open.
    public mutating func end(to output: inout [UInt8]) {
        output.append(token: "</channel>\n</rss>\n")
    }

    /// Elements that hold a text, a number or a truth, by the members that the reader makes of them.
    private static let elements = [
        ("season", "itunes:season"), ("episode", "itunes:episode"), ("episodeType", "itunes:episodeType"),
        ("order", "itunes:order"), ("explicit", "itunes:explicit"), ("block", "itunes:block"),
        ("closedCaptioned", "itunes:isClosedCaptioned"), ("subtitle", "itunes:subtitle"),
        ("summary", "itunes:summary"), ("keywords", "itunes:keywords"),
    ]

    /// The text of a value that is neither null nor a structure.
    private static func plain(_ value: [UInt8]) -> [UInt8]? { ImportedRecord.Value.json(value).scalar.text }

    /// Writes the section and then the item's own categories: texts, or objects of a text and its `domain`.
    private func categories(_ value: [UInt8]?, to output: inout [UInt8]) {
        XMLText.append(element: "category", category, to: &output)
        guard let value, value.first == UInt8(ascii: "[") else { return }
        var scanner = JSONScanner(value)
        guard (try? scanner.beginArray()) != nil else { return }
        while (try? scanner.nextElement()) == true {
            var element: [UInt8] = []
            guard (try? scanner.copyValue(to: &element)) != nil else { return }
            if element.first == UInt8(ascii: "{") {
                let members = ItemMembers(JSONMembers(trusted: Array(element.dropFirst().dropLast())))
                guard let text = members.text("text"), !text.isEmpty else { continue }
                output.append(token: "<category")
                if let domain = members.text("domain") {
                    XMLText.append(attribute: "domain", domain, to: &output)
                }
                output.append(UInt8(ascii: ">"))
                XMLText.append(text, to: &output)
                output.append(token: "</category>\n")
            } else if let text = Self.plain(element), text != category {
                XMLText.append(element: "category", text, to: &output)
            }
        }
    }

    private func enclosure(_ url: [UInt8], _ members: ItemMembers, to output: inout [UInt8]) {
        output.append(token: "<enclosure")
        XMLText.append(attribute: "url", url, to: &output)
        let size = members.value("size").flatMap { !$0.isEmpty && $0.allSatisfy(\.isDigit) ? $0 : nil }
        XMLText.append(attribute: "length", size ?? Array("0".utf8), to: &output)
        XMLText.append(attribute: "type", members.text("mimeType") ?? Self.mediaType(of: url), to: &output)
        output.append(token: "/>\n")
    }

    private func image(_ url: [UInt8]?, to output: inout [UInt8]) {
        guard let url else { return }
        output.append(token: "<itunes:image")
        XMLText.append(attribute: "href", url, to: &output)
        output.append(token: "/>\n")
    }

    private static func mediaType(of url: [UInt8]) -> [UInt8] {
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let suffix = path.suffix(6).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? []
        let name = String(decoding: suffix, as: UTF8.self).lowercased()
        return Array((mediaTypes[name] ?? "application/octet-stream").utf8)
    }
}
