import JSONText
import MedleyCore
import MedleyJSON

/// XSPF, version 0 and 1: the playlist is a section, each track an item. What Medley wrote comes back as it was, in the
/// sections that it had; what the playlist says of itself is then the collection's.
final class XSPFSource: XMLSource {
    private var drafts: [EntryDraft] = []
    private var refusals: [ImportRefusal] = []
    private var isOwn = false
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
        let isUsed = drafts.isEmpty || drafts.contains { $0.section == nil }
        for index in drafts.indices where drafts[index].section == nil { drafts[index].section = section }
        var head = CollectionMembers()
        if !title.isEmpty { head.append(name: Array("title".utf8), value: Array(title.utf8).jsonString) }
        if isOwn { for field in fields.fields { head.append(name: field.name, value: field.value.json) } }
        return (head.members.isEmpty ? [] : [.collection(head.members)]) + (isUsed ? [.section(section)] : [])
            + drafts.entries(refusals)
    }

    private func texts(_ groups: [(name: String, nodes: [XMLNode])], _ name: String) -> [(own: String, text: String?)] {
        groups.first { $0.name == name }?.nodes.map { (name, $0.text) } ?? []
    }

    private func draft(_ track: XMLNode) -> EntryDraft? {
        var own: ItemExtension?
        let children = track.children.filter { child in
            guard own == nil, child.name == "extension", let found = ItemExtension(child) else { return true }
            own = found
            return false
        }
        let groups = XMLNode.grouped(children)
        var fields = FieldList(source: "track", names: names)
        // First, since a field that is set stays.
        if let own {
            isOwn = true
            for member in own.reserved { fields.set(member.name.string, .json(Array(member.value))) }
            for member in own.members { fields.add(member.name.string, .json(Array(member.value))) }
        }
        func leaves(_ names: String...) -> Bool { names.allSatisfy { own?.leaves($0) ?? true } }
        let locations = track.children("location").map(\.text).filter { !$0.isEmpty }
        fields.choose(.title, texts(groups, "title"))
        if leaves("creator", "artist") { fields.choose(.creator, texts(groups, "creator")) }
        fields.choose(.album, texts(groups, "album"))
        fields.choose(.description, texts(groups, "annotation"))
        let places = locations.map { MediaLocation(Array($0.utf8)) }
        if let place = places.first(where: { $0.member == "url" }) ?? places.first, leaves("url", "path") {
            fields.set(place.member, .text(place.text))
        }
        if locations.count > 1 { fields.own("location", .json(locations.jsonArray)) }
        guard own != nil || fields.has("title") || !locations.isEmpty else { return nil }
        fields.choose(.artworkURL, texts(groups, "image"))
        if let duration = track.child("duration")?.text, leaves("duration") {
            if let seconds = MediaDuration.seconds(milliseconds: Array(duration.utf8)) {
                fields.set("duration", .json(seconds))
            } else {
                fields.own("durationText", duration)
            }
        }
        fields.set("trackNumber", number: track.child("trackNum")?.text)
        for text in texts(groups, "info") where leaves("link") { fields.own("link", text.text) }
        let identifiers = track.children("identifier").map(\.text).filter { !$0.isEmpty }
        if let first = identifiers.first, leaves("identifier") {
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
            id: fields.has("id")
                ? nil : EntryDraft.id(locations + identifiers) ?? named ?? EntryDraft.id([fields.text("title")]),
            type: locations.lazy.compactMap { MediaKind.type(name: $0) }.first ?? MediaKind.music,
            section: own?.section)
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
