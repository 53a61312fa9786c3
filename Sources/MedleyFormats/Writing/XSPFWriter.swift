import JSONText
public import MedleyCore

/// Writes XSPF, version 1. What a track has no element for is in an extension of the application `urn:x-medley`: an
/// element `item` of that namespace with the attributes `id`, `type`, `liked`, `section` and `sectionTitle`, and in it for
/// each other member an element `member` with a `name` and the value as JSON text. What the two attributes do not say of a
/// section is in elements `section` of the same form.
public struct XSPFWriter: CollectionWriter {
    private var section: SectionContent?
    private var sectionRest = JSONMembers.empty

    /// Creates a writer for one playlist.
    public init() {}

    /// Writes the playlist's own elements.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        let members = ItemMembers(head.members)
        let opening = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:medley="\(ItemExtension.application)">

            """
        output += Array(opening.utf8)
        XMLText.append(element: "title", members.text("title"), to: &output)
        XMLText.append(element: "creator", members.text("creator"), to: &output)
        XMLText.append(element: "annotation", members.text("description"), to: &output)
        output.append(token: "<trackList>\n")
    }

    /// Starts a section, which each of its tracks names.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        self.section = section
        sectionRest = JSONMembers.empty
        for member in section.members {
            let text = member.name.equals("title") ? member.text : nil
            if let text, text.isEmpty || XMLText.holds(text) { continue }
            sectionRest.append(nameText: member.name.text, value: member.value)
        }
    }

    /// Writes a track.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        let track = TrackMembers(ItemMembers(item.model), isText: XMLText.holds)
        output.append(token: "<track>\n")
        XMLText.append(element: "location", track.location, to: &output)
        for (key, value) in track.values {
            let isText = value.first == UInt8(ascii: "\"")
            XMLText.append(element: key, isText ? Array(JSONString(trusted: value[...]).utf8) : value, to: &output)
        }
        output.append(token: "<extension application=\"urn:x-medley\"><medley:item")
        XMLText.append(attribute: "id", item.id.utf8, to: &output)
        if let type = item.type { XMLText.append(attribute: "type", Array(type.name.utf8), to: &output) }
        if let liked = item.liked { XMLText.append(attribute: "liked", Array("\(liked)".utf8), to: &output) }
        if let section {
            XMLText.append(attribute: "section", section.id.utf8, to: &output)
            let title = section.members.string(of: "title").map { Array($0) } ?? []
            XMLText.append(attribute: "sectionTitle", title, to: &output)
        }
        let isEmpty = track.rest.isEmpty && sectionRest.isEmpty
        output.append(token: isEmpty ? "/>" : ">")
        append("medley:section", sectionRest, to: &output)
        append("medley:member", track.rest, to: &output)
        if !isEmpty { output.append(token: "</medley:item>") }
        output.append(token: "</extension>\n</track>\n")
    }

    private func append(_ element: StaticString, _ members: JSONMembers, to output: inout [UInt8]) {
        for member in members {
            output.append(UInt8(ascii: "<"))
            output.append(token: element)
            XMLText.append(attribute: "name", Array(member.name.utf8), to: &output)
            output.append(UInt8(ascii: ">"))
            XMLText.append(XMLText.holdable(json: Array(member.value)), to: &output)
            output.append(token: "</")
            output.append(token: element)
            output.append(UInt8(ascii: ">"))
        }
    }

    /// Closes what is open.
    public mutating func end(to output: inout [UInt8]) {
        output.append(token: "</trackList>\n</playlist>\n")
    }
}
