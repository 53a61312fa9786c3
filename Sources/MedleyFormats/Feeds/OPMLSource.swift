import MedleyCore
import MedleyJSON

/// OPML 1 and 2: an outline that holds others and stands at the top is a section; every other is an item, unless it
/// does nothing but hold others, which then name it as their `group`.
final class OPMLSource: XMLSource {
    private var drafts: [EntryDraft] = []
    private var refusals: [ImportRefusal] = []
    private var sections: [SectionContent] = []
    private var known: Set<SectionID> = []
    private var notices: [ImportedEntry] = []
    private let names = FieldNames()
    /// What the names of groups come to in their entries.
    private var groupBytes = 0

    /// Nothing is taken early: an outline ends after those in it.
    func visit(_ element: XMLNode, in path: [String]) throws(FormatError) -> Bool { false }

    func entries(_ root: XMLNode) throws(FormatError) -> [ImportedEntry] {
        guard let body = root.child("body") else {
            throw FormatError(.malformed, "the OPML document has no body", line: root.line)
        }
        let top = body.children("outline")
        let loose = loose(root.child("head"))
        if top.contains(where: { !Self.isGroup($0) }) { add(loose) }
        for outline in top {
            if Self.isGroup(outline) {
                let section = Self.section(outline)
                add(section)
                for child in outline.children("outline") { try walk(child, section, []) }
            } else {
                try walk(outline, loose, [])
            }
        }
        return sections.map { .section($0) } + notices + drafts.entries(refusals)
    }

    /// Adds a section, if there is none of its id.
    private func add(_ section: SectionContent) {
        if known.insert(section.id).inserted { sections.append(section) }
    }

    /// Where outlines go that stand at the top and hold no others.
    private func loose(_ head: XMLNode?) -> SectionContent {
        var fields = FieldList(source: "outline")
        fields.choose(.creator, [("ownerName", head?.child("ownerName")?.text)])
        let title = head?.child("title")?.text ?? ""
        return SectionContent(title: title.isEmpty ? "Outline" : title, id: [], fields: fields)
    }

    /// Whether an outline is there for others: it has some, and no address of its own.
    private static func isGroup(_ outline: XMLNode) -> Bool {
        outline.child("outline") != nil && address(outline) == nil
    }

    private static func address(_ outline: XMLNode) -> String? {
        outline.attribute("xmlUrl") ?? outline.attribute("xmlurl") ?? outline.attribute("url")
            ?? outline.attribute("URL")
    }

    private static func title(_ outline: XMLNode) -> String {
        outline.attribute("title") ?? outline.attribute("text") ?? ""
    }

    private static func section(_ outline: XMLNode) -> SectionContent {
        var fields = FieldList(source: "outline")
        keep(outline, in: &fields)
        let title = title(outline)
        return SectionContent(title: title.isEmpty ? "Outline" : title, id: [], fields: fields)
    }

    private func walk(_ outline: XMLNode, _ section: SectionContent, _ groups: [String]) throws(FormatError) {
        var groups = groups
        if Self.isGroup(outline) {
            groups.append(Self.title(outline))
            if !outline.attributes.keys.allSatisfy({ $0 == "title" || $0 == "text" }) {
                notices.append(
                    .notice(
                        ImportNotice(
                            line: outline.line, message: "a group within a group keeps its title and nothing else")))
            }
        } else {
            try check(count: drafts.count + refusals.count + 1)
            groupBytes += groups.reduce(0) { $0 + $1.utf8.count }
            try check(repeatedBytes: groupBytes)
            if var draft = draft(outline, groups) {
                draft.section = section
                drafts.append(draft)
            } else {
                refusals.append(
                    ImportRefusal(line: outline.line, reason: "an outline with neither a text nor an address"))
            }
        }
        for child in outline.children("outline") { try walk(child, section, groups) }
    }

    private func draft(_ outline: XMLNode, _ groups: [String]) -> EntryDraft? {
        var fields = FieldList(source: "outline", names: names)
        let address = Self.address(outline)
        fields.choose(.title, [("title", outline.attribute("title")), ("text", outline.attribute("text"))])
        fields.choose(.url, [("xmlURL", address), ("link", outline.attribute("htmlUrl"))])
        guard fields.has("title") || address != nil || fields.has("url") else { return nil }
        fields.choose(.description, [("description", outline.attribute("description"))])
        fields.choose(.artworkURL, [("imageURL", outline.attribute("imageUrl"))])
        fields.choose(.publishedAt, [("created", outline.attribute("created"))])
        if !groups.isEmpty { fields.set("group", groups.joined(separator: " / ")) }
        Self.keep(outline, in: &fields)
        fields.seal()
        let id = EntryDraft.id([address, outline.attribute("htmlUrl")])
        return EntryDraft(
            line: outline.line, fields: fields,
            id: id ?? EntryDraft.id([(groups + [Self.title(outline)]).joined(separator: "/")]),
            type: Self.type(outline, address))
    }

    /// Keeps the attributes that have no meaning here.
    private static func keep(_ outline: XMLNode, in fields: inout FieldList) {
        let known: Set<String> = [
            "title", "text", "xmlUrl", "xmlurl", "url", "URL", "htmlUrl", "description", "imageUrl", "created",
        ]
        for (name, value) in outline.attributes.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            fields.own(name.camelCased, value.trimmed)
        }
    }

    /// A subscription is a `feed`; a medium is what its address says, or the outline's own type.
    private static func type(_ outline: XMLNode, _ address: String?) -> ItemType? {
        switch outline.attribute("type")?.lowercased() {
        case "rss", "atom", "feed", "pie": return ItemType("feed")
        case "audio", "song", "stream": return MediaKind.music
        case "video": return MediaKind.video
        default: break
        }
        if let address, let type = MediaKind.type(name: address) { return type }
        return outline.attributes.keys.contains { $0.lowercased() == "xmlurl" } ? ItemType("feed") : nil
    }
}
