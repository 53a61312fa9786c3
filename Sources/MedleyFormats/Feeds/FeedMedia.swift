import MedleyCore
import MedleyJSON

/// The media of a feed's entry: RSS and Atom enclosures, and what Media RSS adds in several qualities.
struct FeedMedia {
    /// One form in which the medium can be had.
    private struct Form {
        var url: String?
        var mime: String?
        var size: String?
        var duration: String?
        var json: [UInt8]
        var rank: (Int, Int, Int)
    }

    private let enclosures: [Form]
    private let contents: [Form]

    /// Where the medium is: the enclosures, then Media RSS's forms, the default or else the best first.
    var addresses: [String] { (enclosures + contents).compactMap(\.url) }
    /// What Media RSS shows for it, the largest first.
    let pictures: [(own: String, text: String?)]
    /// What Media RSS says of its length.
    var durations: [(own: String, text: String?)] { contents.prefix(1).map { ("mediaDuration", $0.duration) } }
    /// Who made it.
    let credits: [(own: String, text: String?)]
    /// What it is about.
    let descriptions: [(own: String, text: String?)]
    /// The type by the first medium that tells.
    let type: ItemType?

    private let thumbnails: [XMLNode]
    /// What else stands in Media RSS's groups.
    private let rest: [XMLNode]

    /// Takes the media out of an entry's elements.
    init(_ elements: inout FeedElements, _ atomEnclosures: [XMLNode]) {
        enclosures = (elements.take("enclosure") + atomEnclosures).map { node in
            Form(
                url: node.attribute("url") ?? node.attribute("href"), mime: node.attribute("type"),
                size: node.attribute("length"), json: node.json, rank: (0, 0, 0))
        }
        var nodes = elements.take("media:content")
        var outer: [XMLNode] = nodes
        for group in elements.take("media:group") {
            nodes += group.children("media:content")
            outer.append(group)
        }
        contents = nodes.map(Self.form).bestFirst { $0.rank }
        func all(_ name: String) -> [XMLNode] { elements.take(name) + outer.flatMap { $0.children(name) } }
        thumbnails = all("media:thumbnail").filter { $0.attribute("url") != nil }
        pictures = thumbnails.bestFirst { (Self.number($0, "width"), 0, 0) }.prefix(1).map {
            ("thumbnail", $0.attribute("url"))
        }
        credits = all("media:credit").map { ("credit", $0.text) }
        descriptions = all("media:description").map { ("mediaDescription", $0.text) }
        let taken: Set<String> = ["media:content", "media:thumbnail", "media:credit", "media:description"]
        rest = outer.filter { $0.name == "media:group" }.flatMap(\.children).filter { !taken.contains($0.name) }
        type = (enclosures + contents).lazy.compactMap { MediaKind.type(mime: $0.mime, name: $0.url) }.first
    }

    /// Keeps what is more than an address, a media type and a size.
    func keep(in fields: inout FieldList) {
        let first = enclosures.first ?? contents.first
        fields.set("mimeType", first?.mime)
        // 0 stands for a length that nobody knows, since the attribute must be there.
        if first?.size != "0" { fields.set("size", number: first?.size) }
        if enclosures.count > 1 { fields.own("enclosures", .json(enclosures.map(\.json).jsonArray)) }
        if !contents.isEmpty { fields.own("media", .json(contents.map(\.json).jsonArray)) }
        if thumbnails.count > 1 { fields.own("thumbnails", .json(thumbnails.map(\.json).jsonArray)) }
        for group in XMLNode.grouped(rest) { fields.own(group) }
    }

    private static func form(_ node: XMLNode) -> Form {
        let isDefault = node.attribute("isDefault")?.lowercased() == "true"
        return Form(
            url: node.attribute("url"), mime: node.attribute("type") ?? node.attribute("medium"),
            size: node.attribute("fileSize"), duration: node.attribute("duration"), json: node.json,
            rank: (isDefault ? 1 : 0, number(node, "height"), max(number(node, "bitrate"), number(node, "fileSize"))))
    }

    private static func number(_ node: XMLNode, _ name: String) -> Int {
        node.attribute(name).flatMap { Int($0) } ?? 0
    }
}

extension Array {
    /// The elements by a rank, the highest first; what ranks the same stays in order.
    fileprivate func bestFirst(_ rank: (Element) -> (Int, Int, Int)) -> [Element] {
        enumerated().map { (rank($0.element), $0.offset, $0.element) }.sorted { left, right in
            left.0 == right.0 ? left.1 < right.1 : left.0 > right.0
        }.map { $0.2 }
    }
}
