import MedleyCore
import MedleyJSON

/// One entry of a feed, an RSS `item` or an Atom `entry`, on its way to a record.
struct FeedEntry {
    private let line: Int
    private var elements: FeedElements
    private var fields: FieldList

    init(_ element: XMLNode, _ names: FieldNames) {
        fields = FieldList(source: "entry", names: names)
        line = element.line
        elements = FeedElements(element)
    }

    /// The record; `nil` if the entry says nothing. Called once.
    mutating func draft() -> EntryDraft? {
        let guids = elements.take("guid")
        let guid = (elements.texts("atom:id") + guids.map(\.text)).first { !$0.isEmpty }
        fields.choose(.title, elements.named("title", "atom:title", "itunes:title", "media:title", "dc:title"))
        let links = elements.take("atom:link")
        let media = FeedMedia(&elements, links.filter { $0.attribute("rel") == "enclosure" })
        let pages = pages(links, permalink: guids.first { $0.attribute("isPermaLink") != "false" }?.text)
        // Further media are kept together, below.
        let medium = media.addresses.first { FieldList.fits($0, .url) } ?? media.addresses.first
        fields.choose(.url, [("mediaURL", medium)] + pages.map { ("link", $0) })
        fields.choose(.artworkURL, elements.pictures() + media.pictures)
        fields.choose(.duration, elements.named("itunes:duration") + media.durations)
        fields.choose(.creator, elements.creators() + media.credits)
        let dates = elements.named(
            "pubDate", "atom:published", "atom:issued", "dc:date", "dcterms:issued", "atom:created", "atom:updated",
            "atom:modified")
        fields.choose(.publishedAt, dates)
        describe(media)
        elements.keepPlain(in: &fields)
        media.keep(in: &fields)
        let others = links.filter { !["alternate", "enclosure"].contains($0.attribute("rel") ?? "alternate") }
        if !others.isEmpty { fields.own("links", .json(others.map(\.json).jsonArray)) }
        elements.keepRest(in: &fields)
        EntryDraft.keep(guid, as: "guid", in: &fields)
        guard guid != nil || !fields.isEmpty else { return nil }
        let address = medium ?? pages.first
        fields.seal()
        let named = [fields.text("title"), dates.first?.text ?? fields.text("description")]
        return EntryDraft(
            line: line, fields: fields, id: EntryDraft.id([guid, address]) ?? EntryDraft.id(all: named),
            type: media.type, time: dates.lazy.compactMap { $0.text.flatMap { InternetDate($0)?.seconds } }.first)
    }

    /// The pages about the entry: `link`, Atom's alternates, and the guid if it is one.
    private mutating func pages(_ links: [XMLNode], permalink: String?) -> [String] {
        var pages = elements.texts("link")
        pages += links.filter { ($0.attribute("rel") ?? "alternate") == "alternate" }.compactMap {
            $0.attribute("href")
        }
        pages += elements.texts("feedburner:origLink")
        if pages.isEmpty, let permalink, permalink.hasPrefix("http") { pages.append(permalink) }
        return pages
    }

    /// The description is the summary; the whole text stands beside it, or in its place where there is none.
    private mutating func describe(_ media: FeedMedia) {
        fields.choose(
            .description,
            elements.named("description", "atom:summary", "itunes:summary") + media.descriptions
                + elements.named("content:encoded", "atom:content", "dc:description", "itunes:subtitle"))
    }
}
