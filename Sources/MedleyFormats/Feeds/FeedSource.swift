import MedleyCore
import MedleyJSON

/// RSS (0.9x, 1.0, 2.0) and Atom: the feed is a section, each entry an item.
final class FeedSource: XMLSource {
    private var drafts: [EntryDraft] = []
    private var refusals: [ImportRefusal] = []
    private let names = FieldNames()

    /// What a feed says of its own upkeep, which differs each time that it is fetched although nothing is new.
    private static let upkeep: Set<String> = [
        "lastBuildDate", "pubDate", "ttl", "generator", "docs", "cloud", "skipHours", "skipDays", "textInput",
        "atom:updated", "atom:generator", "dc:date", "sy:updatePeriod", "sy:updateFrequency", "sy:updateBase",
    ]

    func visit(_ element: XMLNode, in path: [String]) throws(FormatError) -> Bool {
        switch element.name {
        case "item": guard path.count <= 2 else { return false }
        case "atom:entry": guard path.count == 1 else { return false }
        default: return false
        }
        try check(count: drafts.count + refusals.count + 1)
        var entry = FeedEntry(element, names)
        if let draft = entry.draft() {
            drafts.append(draft)
        } else {
            refusals.append(
                ImportRefusal(line: element.line, reason: "an entry with neither a title, an address nor any text"))
        }
        return true
    }

    func entries(_ root: XMLNode) throws(FormatError) -> [ImportedEntry] {
        let feed: XMLNode
        if root.name == "atom:feed" {
            feed = root
        } else if let channel = root.child("channel") {
            feed = channel
        } else {
            throw FormatError(.malformed, "the feed has no channel", line: root.line)
        }
        let section = section(feed)
        for index in drafts.indices { drafts[index].section = section }
        let notices = drafts.tellApartByAge()
        return [.section(section)] + drafts.entries(refusals, notices: notices)
    }

    private func section(_ feed: XMLNode) -> SectionContent {
        var elements = FeedElements(feed)
        for name in Self.upkeep { elements.skip(name) }
        var fields = FieldList(source: "feed")
        let title = elements.texts("title", "atom:title", "itunes:title").first ?? ""
        fields.choose(
            .description, elements.named("description", "atom:subtitle", "itunes:summary", "googleplay:description"))
        fields.choose(.creator, elements.creators())
        let links = elements.take("atom:link")
        let own = links.first { $0.attribute("rel") == "self" }?.attribute("href")
        let pages = links.filter { ($0.attribute("rel") ?? "alternate") == "alternate" }
        fields.choose(.url, elements.named("link") + pages.map { ("link", $0.attribute("href")) })
        fields.choose(.artworkURL, elements.pictures())
        fields.set("feedURL", own)
        let others = links.filter { !["self", "alternate", "hub"].contains($0.attribute("rel") ?? "alternate") }
        if !others.isEmpty { fields.own("links", .json(others.map(\.json).jsonArray)) }
        let id = elements.texts("atom:id").first
        elements.keepPlain(in: &fields)
        elements.keepRest(in: &fields)
        // Not the title as long as there is anything else: a feed that is renamed is the same feed.
        return SectionContent(
            title: title.isEmpty ? "Feed" : title, id: [id, own, fields.text("url")], fields: fields)
    }
}

/// An element's children by name, each of which is taken once.
struct FeedElements {
    private var groups: [(name: String, nodes: [XMLNode])]

    init(_ node: XMLNode) { groups = XMLNode.grouped(node.children) }

    /// Takes all elements of a name.
    mutating func take(_ name: String) -> [XMLNode] {
        guard let index = groups.firstIndex(where: { $0.name == name }) else { return [] }
        return groups.remove(at: index).nodes
    }

    /// Leaves out all elements of a name.
    mutating func skip(_ name: String) { _ = take(name) }

    /// Takes the texts of elements of some names, in that order.
    mutating func texts(_ names: String...) -> [String] {
        names.flatMap { take($0).map(\.content) }.filter { !$0.isEmpty }
    }

    /// The same as candidates for a known member, by the names under which they are kept otherwise.
    mutating func named(_ names: String...) -> [(own: String, text: String?)] {
        names.flatMap { name in take(name).map { (Self.plainNames[name] ?? name.camelCased, $0.content) } }
    }

    /// Who made it.
    mutating func creators() -> [(own: String, text: String?)] {
        let authors = take("atom:author")
        let names = authors.compactMap { ($0.child("atom:name") ?? $0.child("name"))?.text }.filter { !$0.isEmpty }
        var candidates = named("itunes:author", "dc:creator", "author", "googleplay:author")
        if !names.isEmpty { candidates.insert(("authors", names.joined(separator: ", ")), at: 0) }
        // More than names: kept as it is.
        if authors.contains(where: { $0.children.count > 1 }) { groups.append(("authorDetails", authors)) }
        return candidates
    }

    /// Its pictures, the largest first.
    mutating func pictures() -> [(own: String, text: String?)] {
        var pictures: [(own: String, text: String?)] = []
        for name in ["itunes:image", "googleplay:image"] {
            pictures += take(name).map { (name.camelCased, $0.attribute("href") ?? $0.attribute("url") ?? $0.text) }
        }
        pictures += take("image").map {
            ("image", $0.child("url")?.text ?? $0.attribute("href") ?? $0.attribute("rdf:resource") ?? $0.text)
        }
        return pictures + named("atom:logo", "atom:icon")
    }

    /// Keeps the elements that podcasts have under their short names.
    mutating func keepPlain(in fields: inout FieldList) {
        for name in ["itunes:season", "itunes:episode", "itunes:order"] {
            fields.set(Self.plainNames[name] ?? name.camelCased, number: take(name).first?.text)
        }
        for name in ["itunes:explicit", "itunes:block", "itunes:isClosedCaptioned", "itunes:complete"] {
            guard let text = take(name).first?.text, !text.isEmpty else { continue }
            fields.set(Self.plainNames[name] ?? name.camelCased, Self.truth(text))
        }
        var categories = take("category").filter { !$0.text.isEmpty }.map {
            $0.attributes.isEmpty ? Array($0.text.utf8).jsonString : $0.json
        }
        for node in take("atom:category") + take("itunes:category") {
            categories.append(contentsOf: Self.categoryNames(node))
        }
        if !categories.isEmpty { fields.own("categories", .json(categories.jsonArray)) }
    }

    /// Keeps all that is left.
    mutating func keepRest(in fields: inout FieldList) {
        for group in groups { fields.own(group, as: Self.plainNames[group.name]) }
        groups = []
    }

    private static func categoryNames(_ node: XMLNode) -> [[UInt8]] {
        let name = node.attribute("text") ?? node.attribute("label") ?? node.attribute("term") ?? node.text
        return (name.isEmpty ? [] : [Array(name.utf8).jsonString])
            + node.children("itunes:category").flatMap(categoryNames)
    }

    /// `yes`, `true` and `explicit` are true, `no`, `false` and `clean` false; anything else stays text.
    private static func truth(_ text: String) -> ImportedRecord.Value {
        switch text.lowercased() {
        case "yes", "true", "explicit": .json(Array("true".utf8))
        case "no", "false", "clean": .json(Array("false".utf8))
        default: .text(Array(text.utf8))
        }
    }

    private static let plainNames = [
        "itunes:season": "season", "itunes:episode": "episode", "itunes:order": "order",
        "itunes:explicit": "explicit", "itunes:block": "block", "itunes:isClosedCaptioned": "closedCaptioned",
        "itunes:complete": "complete", "itunes:episodeType": "episodeType", "itunes:subtitle": "subtitle",
        "itunes:summary": "summary", "itunes:keywords": "keywords", "itunes:type": "showType",
        "itunes:owner": "owner", "itunes:new-feed-url": "newFeedURL", "content:encoded": "content",
        "atom:content": "content", "atom:summary": "summary", "atom:subtitle": "subtitle", "atom:rights": "rights",
        "atom:updated": "updatedAt", "atom:contributor": "contributors", "atom:link": "links",
    ]
}

extension XMLNode {
    /// The text of an element that may hold text, escaped HTML, or XHTML (RFC 4287, section 3.1), which becomes markup.
    var content: String {
        guard attributes["type"]?.lowercased() == "xhtml" else { return text }
        // The one div around it is there for its namespace.
        guard let only = children.first, children.count == 1, ["xhtml:div", "div"].contains(only.name) else {
            return markup
        }
        return only.markup
    }
}
