import JSONText
import MedleyCore

/// What Medley writes of an item into a format that has no place for it, so that it comes back whole:
/// `{"id":…,"type":…,"liked":…,"section":{…},"members":{…}}`.
///
/// M3U has it in a directive that players skip, JSPF in an extension. A member that it states counts instead of what
/// the format says itself, and so it is for members that the format makes of one text, such as `url` and `path`.
struct ItemExtension {
    /// The application by which XSPF and JSPF tell whose an extension is.
    static let application = "urn:x-medley"

    /// `id`, `type` and `liked`, as far as they are stated.
    private(set) var reserved = JSONMembers.empty
    /// The section, if it is stated.
    private(set) var section: SectionContent?
    /// The other members.
    private(set) var members = JSONMembers.empty
    private var names: Set<[UInt8]> = []

    /// Reads the text of one; `nil` if it is none.
    init?(json: [UInt8]) {
        var scanner = JSONScanner(json, maximumDepth: ImportedEntry.maximumDepth + 1)
        guard let all = try? scanner.members(), (try? scanner.finish()) != nil else { return nil }
        for member in all {
            let isObject = member.value.first == UInt8(ascii: "{")
            let content = JSONMembers(trusted: isObject ? Array(member.value.dropFirst().dropLast()) : [])
            switch member.name.string {
            case "id", "type", "liked": reserved.append(nameText: member.name.text, value: member.value)
            case "section" where isObject: section = SectionContent(stated: content)
            case "members" where isObject: members = content
            default: return nil
            }
        }
        names = Set(members.map { Array($0.name.utf8) })
    }

    /// Whether what the format itself says of these members counts: none of them is stated.
    func leaves(_ together: String...) -> Bool {
        !together.contains { names.contains(Array($0.utf8)) }
    }

    /// Writes one.
    static func append(
        _ item: ItemContent, section: SectionContent?, members: JSONMembers, to output: inout [UInt8]
    ) {
        JSONWriter.append(token: "{\"id\":", to: &output)
        JSONWriter.append(string: item.id.utf8, to: &output)
        if let type = item.type {
            JSONWriter.append(token: ",\"type\":", to: &output)
            JSONWriter.append(string: type.name, to: &output)
        }
        if let liked = item.liked {
            JSONWriter.append(token: ",\"liked\":", to: &output)
            JSONWriter.append(bool: liked, to: &output)
        }
        if let section {
            JSONWriter.append(token: ",\"section\":{\"id\":", to: &output)
            JSONWriter.append(string: section.id.utf8, to: &output)
            if !section.members.isEmpty { output += [UInt8(ascii: ",")] + section.members.bytes }
            output.append(UInt8(ascii: "}"))
        }
        if !members.isEmpty {
            JSONWriter.append(token: ",\"members\":{", to: &output)
            output += members.bytes + [UInt8(ascii: "}")]
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension SectionContent {
    /// A section from an object's members, `id` among them; `nil` if that is none.
    init?(stated all: JSONMembers) {
        guard let id = all.string(of: "id"), let plain = ContentID.plain(Array(id)) else { return nil }
        var members = JSONMembers.empty
        let title = all.value(of: "title").flatMap { $0.first == UInt8(ascii: "\"") ? Array($0) : nil }
        members.append(name: "title", value: title ?? Array("\"\"".utf8))
        for member in all
        where !member.name.equals("id") && !member.name.equals("title") && !member.name.equals("items") {
            members.append(nameText: member.name.text, value: member.value)
        }
        self.init(id: SectionID(utf8: plain), members: members)
    }

    /// The section that a playlist's group or name stands for: the title is the id if it may be one.
    init(titled title: [UInt8]) {
        var members = JSONMembers.empty
        members.append(name: "title", value: title.jsonString)
        self.init(id: SectionID(utf8: ContentID.plainOrHashed(title, prefix: "section-")), members: members)
    }
}
