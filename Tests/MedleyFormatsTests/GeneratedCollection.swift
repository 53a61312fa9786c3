import JSONText
import MedleyCore
import MedleyFormats

/// A collection of any content: what an export is given, and what an import should give back.
struct GeneratedCollection {
    struct Section {
        var content: SectionContent
        var items: [ItemContent]
    }

    var head: JSONMembers
    var sections: [Section] = []

    /// An item with where it is, its members in no order.
    struct Placed: Hashable, CustomStringConvertible {
        var id: String
        var type: String?
        var liked: Bool?
        var section: [[UInt8]: [UInt8]]
        var members: [[UInt8]: [UInt8]]

        init(_ item: ItemContent, in section: SectionContent?) {
            id = item.id.description
            type = item.type?.name
            liked = item.liked
            self.section = section.map { Self.dictionary($0.members) } ?? [:]
            if let section { self.section[Array("id".utf8)] = section.id.utf8 }
            members = Self.dictionary(item.model)
        }

        var description: String {
            func text(_ members: [[UInt8]: [UInt8]]) -> String {
                members.map {
                    "\(String(decoding: $0.key, as: UTF8.self)):\(String(decoding: $0.value, as: UTF8.self))"
                }
                .sorted().joined(separator: ",")
            }
            return "\(id) \(type ?? "") \(liked.map { "\($0)" } ?? "") {\(text(section))} {\(text(members))}"
        }

        static func dictionary(_ members: JSONMembers) -> [[UInt8]: [UInt8]] {
            Dictionary(members.map { (Array($0.name.utf8), Array($0.value)) }) { $1 }
        }
    }

    var placed: [Placed] { sections.flatMap { section in section.items.map { Placed($0, in: section.content) } } }

    /// The collection in a format; a table has columns for its members, or for those of `names`.
    func written(_ format: MediaFormat, names: MemberNameList? = nil) -> [UInt8] {
        guard var writer = format.makeWriter() else { return [] }
        let names = names ?? memberNames
        var output: [UInt8] = []
        writer.begin(CollectionHead(members: head, memberNames: names.names), to: &output)
        for section in sections {
            writer.begin(section.content, to: &output)
            for item in section.items { writer.append(item, to: &output) }
        }
        writer.end(to: &output)
        return output
    }

    private var memberNames: MemberNameList {
        var names = MemberNameList()
        for section in sections { for item in section.items { names.add(item.model) } }
        return names
    }

    /// What an import of a file gives.
    static func read(_ bytes: [UInt8], _ format: MediaFormat) throws -> (
        placed: [Placed], head: JSONMembers, problems: [String]
    ) {
        let name = "file." + (format.fileExtensions.first ?? "")
        var (found, reader) = try MediaFile.open(ByteReader(bytes), name: name)
        var mapper = RecordMapper(RecordMapping())
        var placed: [Placed] = []
        var head = JSONMembers.empty
        var problems = found == format ? [] : ["read as \(found)"]
        while let entry = try reader.next() {
            switch entry {
            case .record(let record):
                let item = mapper.item(of: record)
                placed.append(Placed(item.content, in: item.section))
                problems += item.notices.map(\.message)
            case .refusal(let refusal): problems.append(refusal.description)
            case .notice(let notice): problems.append(notice.message)
            case .collection(let members): head = members
            case .section: break
            }
        }
        return (placed, head, problems)
    }
}

extension GeneratedCollection {
    /// Pieces that mean something to one format or another.
    private static let pieces = [
        "a", "b", "Z", "7", "é", "🎸", " ", " - ", "-", ",", ";", "\t", "\n", "\r", "\"", "'", "=", "+", "@", "#", "&",
        "<", "]]>", "\\", "/", "%", "\u{0}", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFE}", "\u{FEFF}", "e\u{301}", "(", "[",
    ]
    private static let names = [
        "year", "section", "sectionTitle", "tvg-id", "tvg-name", "TVG-Chno", "EXTVLCOPT", "EXTHTTP", "genre", "link",
        "trackNumber", "size", "mimeType", "extension", "location", "identifier", "=x", "a b", "é", "e\u{301}",
        "EXTINF",
        "albumArtist", "members", "File", "group-title", "tvg-logo",
    ]
    private static let urls = [
        "https://example.com/a.mp3", "http://example.com/a?b=c&d=\"e\"", "spotify:track:1", "foo:bar",
        "file:///a%20b.mp3", "https://example.com/é",
    ]
    private static let paths = [
        "a.mp3", "C:\\Music\\a b.mp3", "/srv/a.mp3", "\\\\server\\x", "#1.mp3", "../é", " a", "a\nb", "http://x",
    ]

    /// Any collection, drawn by `random`.
    init(_ random: inout SeededRandom) {
        head = .empty
        head.append(name: "title", value: Self.json(Self.text(&random)))
        if Bool.random(using: &random) { head.append(name: "creator", value: Self.json(Self.text(&random))) }
        if Bool.random(using: &random) { head.append(name: "mood", value: Self.value(&random, 0)) }
        var number = 0
        for index in 0..<Int.random(in: 1...4, using: &random) {
            var members = JSONMembers.empty
            members.append(name: "title", value: Self.json(index == 3 ? "" : Self.text(&random)))
            if Int.random(in: 0..<4, using: &random) == 0 { members.append(name: "color", value: Self.json("red")) }
            let id = ["v", "=2", "S,\"", "Ä - b"][index]
            var section = Section(content: SectionContent(id: SectionID(id), members: members), items: [])
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                number += 1
                section.items.append(Self.item(number, &random))
            }
            sections.append(section)
        }
    }

    private static func item(_ number: Int, _ random: inout SeededRandom) -> ItemContent {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
        func one(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
        var model = JSONMembers.empty
        for name in ["title", "artist", "album", "creator", "description"] where !chance(3) {
            model.append(name: name, value: json(text(&random)))
        }
        if !chance(3) { model.append(name: "url", value: json(one(urls))) }
        if chance(3) { model.append(name: "path", value: json(one(paths))) }
        if chance(2) { model.append(name: "artworkURL", value: json(one(urls))) }
        if chance(2) {
            model.append(name: "duration", value: one(["0", "225", "225.50", "0.001", "1e3", "12.3456", "1e400"]).utf8)
        }
        if chance(2) { model.append(name: "publishedAt", value: json("1970-11-09T00:00:00Z")) }
        for name in names where chance(8) { model.append(name: name, value: value(&random, 0)) }
        return ItemContent(
            id: ItemID("\(one(["", "=", "'", "é \"", "-"]))\(number)"),
            type: ItemType(one(["music", "video", "shortVideo"])),
            liked: chance(2), model: model)
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let isPlain = Bool.random(using: &random)
        return (0..<Int.random(in: isPlain ? 1...6 : 0...6, using: &random)).map { _ in
            pieces[Int.random(in: 0..<(isPlain ? 6 : pieces.count), using: &random)]
        }.joined()
    }

    private static func json(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        JSONWriter.append(string: text, to: &output)
        return output
    }

    private static func value(_ random: inout SeededRandom, _ depth: Int) -> [UInt8] {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &random) {
        case 0: return Array("true".utf8)
        case 1: return Array(["17", "-1.50", "9007199254740993"][Int.random(in: 0..<3, using: &random)].utf8)
        case 2 where depth > 0: return Array("null".utf8)
        case 6:
            let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth + 1) }
            return [0x5B] + Array(values.joined(separator: [0x2C])) + [0x5D]
        case 7:
            return Array("{\"k\":".utf8) + value(&random, depth + 1) + [0x7D]
        default: return json(text(&random))
        }
    }
}
