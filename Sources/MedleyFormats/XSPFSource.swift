import MedleyCore
import MedleyJSON

/// XSPF, version 0 and 1: the playlist is a section, each track an item.
final class XSPFSource: XMLSource {
    private var drafts: [EntryDraft] = []
    private var refusals: [ImportRefusal] = []
    private let names = FieldNames()

    func visit(_ element: XMLNode, in path: [String]) throws(FormatError) -> Bool {
        guard element.name == "track", path.last == "trackList" else { return false }
        try check(count: drafts.count + refusals.count + 1)
        if let draft = draft(element) {
            drafts.append(draft)
        } else {
            refusals.append(ImportRefusal(line: element.line, reason: "a track with neither a location nor a title"))
        }
        return true
    }

    func entries(_ root: XMLNode) throws(FormatError) -> [ImportedEntry] {
        guard root.child("trackList") != nil else {
            throw FormatError(.malformed, "the playlist has no trackList", line: root.line)
        }
        var fields = FieldList(source: "playlist")
        let groups = XMLNode.grouped(root.children)
        fields.choose(.description, texts(groups, "annotation"))
        fields.choose(.creator, texts(groups, "creator"))
        fields.choose(.url, texts(groups, "info") + texts(groups, "location"))
        fields.choose(.artworkURL, texts(groups, "image"))
        fields.choose(.publishedAt, texts(groups, "date"))
        let known: Set<String> = [
            "trackList", "title", "annotation", "creator", "info", "location", "image", "date", "identifier",
        ]
        for group in groups where !known.contains(group.name) { fields.own(group) }
        for attribute in root.attributes.sorted(by: { $0.key < $1.key }) where attribute.key != "version" {
            fields.own(attribute.key.camelCased, attribute.value)
        }
        let title = root.child("title")?.text ?? ""
        let section = SectionContent(
            title: title.isEmpty ? "Playlist" : title,
            id: [root.child("identifier")?.text, root.child("location")?.text], fields: fields)
        for index in drafts.indices { drafts[index].section = section }
        return [.section(section)] + drafts.entries(refusals)
    }

    private func texts(_ groups: [(name: String, nodes: [XMLNode])], _ name: String) -> [(own: String, text: String?)] {
        groups.first { $0.name == name }?.nodes.map { (name, $0.text) } ?? []
    }

    private func draft(_ track: XMLNode) -> EntryDraft? {
        let groups = XMLNode.grouped(track.children)
        var fields = FieldList(source: "track", names: names)
        let locations = track.children("location").map(\.text).filter { !$0.isEmpty }
        fields.choose(.title, texts(groups, "title"))
        fields.choose(.creator, texts(groups, "creator"))
        fields.choose(.album, texts(groups, "album"))
        fields.choose(.description, texts(groups, "annotation"))
        if let url = locations.first(where: { FieldList.fits($0, .url) }) {
            fields.choose(.url, [("location", url)])
        } else {
            fields.set("path", locations.first)
        }
        if locations.count > 1 { fields.own("location", .json(locations.jsonArray)) }
        guard fields.has("title") || !locations.isEmpty else { return nil }
        fields.choose(.artworkURL, texts(groups, "image"))
        if let duration = track.child("duration")?.text {
            if let seconds = MediaDuration.seconds(milliseconds: duration) {
                fields.set("duration", .json(Array(seconds.utf8)))
            } else {
                fields.own("durationText", duration)
            }
        }
        fields.set("trackNumber", number: track.child("trackNum")?.text)
        for text in texts(groups, "info") { fields.own("link", text.text) }
        let identifiers = track.children("identifier").map(\.text).filter { !$0.isEmpty }
        if let first = identifiers.first {
            fields.own("identifier", identifiers.count == 1 ? .text(Array(first.utf8)) : .json(identifiers.jsonArray))
        }
        let known: Set<String> = [
            "title", "creator", "album", "annotation", "location", "image", "duration", "trackNum", "info",
            "identifier",
        ]
        for group in groups where !known.contains(group.name) {
            fields.own(group, as: group.name == "link" ? "links" : nil)
        }
        fields.seal()
        let named = EntryDraft.id(all: [track.child("creator")?.text, track.child("title")?.text])
        return EntryDraft(
            line: track.line, fields: fields,
            id: EntryDraft.id(locations + identifiers) ?? named ?? EntryDraft.id([fields.text("title")]),
            type: locations.lazy.compactMap { MediaKind.type(name: $0) }.first ?? MediaKind.music)
    }
}

extension FieldList {
    /// Keeps elements of one name that have no meaning here, under their own name: one as a value, several as an array.
    mutating func own(_ group: (name: String, nodes: [XMLNode]), as name: String? = nil) {
        let name = name ?? group.name.camelCased
        let values = group.nodes.filter { !$0.attributes.isEmpty || !$0.children.isEmpty || !$0.text.isEmpty }
        guard let first = values.first else { return }
        if values.count == 1, first.attributes.isEmpty, first.children.isEmpty {
            own(name, first.text)
        } else {
            own(name, .json(values.count == 1 ? first.json : values.map(\.json).jsonArray))
        }
    }
}
