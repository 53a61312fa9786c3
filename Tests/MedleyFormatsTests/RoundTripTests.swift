import Foundation
import JSONText
import MedleyCore
import MedleyFormats
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Any collection, written and read again, is what docs/formats.md says.
@Suite struct RoundTripTests {
    typealias Placed = GeneratedCollection.Placed

    @Test(arguments: [MediaFormat.snapshot, .jsonLines, .jspf, .m3u, .xspf])
    func nothingIsLost(format: MediaFormat) throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            let collection = GeneratedCollection(&random)
            let bytes = collection.written(format)
            let note = "\(random.note), \(String(decoding: bytes, as: UTF8.self).debugDescription)"
            let expected = collection.placed.map { format == .jsonLines ? Self.withRenamedSection($0) : $0 }
            guard !(bytes.isEmpty && expected.isEmpty) else { continue }
            let (placed, head, problems) = try GeneratedCollection.read(bytes, format)
            if format == .xspf {
                #expect(placed.map(Self.withEscapes) == expected.map(Self.withEscapes), "\(note)")
            } else {
                #expect(placed == expected, "\(note)")
            }
            #expect(problems.isEmpty, "\(note)")
            if format == .snapshot || format == .jspf {
                #expect(Placed.dictionary(head) == Placed.dictionary(collection.head), "\(note)")
            }
        }
    }

    /// A model as deep as the service allows comes back too.
    @Test(arguments: [MediaFormat.snapshot, .jsonLines, .jspf, .m3u, .xspf])
    func deepModelsAreNotLost(format: MediaFormat) throws {
        let deep = String(repeating: "[", count: 55) + String(repeating: "]", count: 55)
        var collection = GeneratedCollection(head: JSONMembers(trusted: Array(#""title":"x""#.utf8)))
        let model = JSONMembers(trusted: Array("\"deep\":\(deep)".utf8))
        let item = ItemContent(id: "1", type: ItemType("music"), liked: true, model: model)
        let section = SectionContent(id: "s", members: JSONMembers(trusted: Array(#""title":"s""#.utf8)))
        collection.sections = [.init(content: section, items: [item])]
        let (placed, _, problems) = try GeneratedCollection.read(collection.written(format), format)
        #expect(placed == collection.placed && problems.isEmpty)
    }

    @Test(arguments: [MediaFormat.csv, .tsv])
    func tablesKeepTexts(format: MediaFormat) throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            let collection = GeneratedCollection(&random)
            let bytes = collection.written(format)
            let note = "\(random.note), \(String(decoding: bytes, as: UTF8.self).debugDescription)"
            let (placed, _, problems) = try GeneratedCollection.read(bytes, format)
            #expect(placed == collection.placed.map(Self.asTable), "\(note)")
            #expect(problems.isEmpty, "\(note)")
        }
    }

    @Test func plsKeepsTitlesLengthsAndLocations() throws {
        var random = SeededRandom()
        for _ in 0..<100 {
            var collection = GeneratedCollection(&random)
            var expected: [[[UInt8]: [UInt8]]] = []
            for section in collection.sections.indices {
                for item in collection.sections[section].items.indices {
                    let names: [String] = [
                        "title", Bool.random(using: &random) ? "artist" : "",
                        Bool.random(using: &random) ? "url" : "path",
                    ]
                    var model = JSONMembers.empty
                    for name in names where !name.isEmpty {
                        let value =
                            name == "url"
                            ? "https://example.com/\(random.next() % 99)" : "\(name) é;=#\(random.next() % 9)"
                        model.append(name: name, value: "\"\(value)\"".utf8)
                    }
                    if Bool.random(using: &random) {
                        model.append(name: "duration", value: "\(random.next() % 999).50".utf8)
                    }
                    collection.sections[section].items[item].model = model
                    expected.append(Placed.dictionary(model))
                }
            }
            let (placed, _, problems) = try GeneratedCollection.read(collection.written(.pls), .pls)
            #expect(placed.map(\.members) == expected, "\(random.note)")
            #expect(
                problems.isEmpty
                    || Set(problems) == ["another record has this id already; a number was put behind this one's"],
                "\(random.note) \(problems)")
        }
    }

    @Test(arguments: [MediaFormat.xspf, .rss])
    func xmlIsWellFormed(format: MediaFormat) throws {
        var random = SeededRandom()
        for _ in 0..<150 {
            let collection = GeneratedCollection(&random)
            let bytes = collection.written(format)
            let count = ElementCount()
            let parser = XMLParser(data: Data(bytes))
            parser.delegate = count
            #expect(parser.parse(), "\(random.note), \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            #expect(count.counts[format == .xspf ? "track" : "item", default: 0] == collection.placed.count)
            if format == .xspf { #expect(count.ids == collection.placed.map(\.id)) }
        }
    }

    /// U+FFFE, which XML cannot hold, as JSON's escape: the same text, written otherwise.
    private static func withEscapes(_ placed: Placed) -> Placed {
        func escaped(_ members: [[UInt8]: [UInt8]]) -> [[UInt8]: [UInt8]] {
            members.mapValues { Array(String(decoding: $0, as: UTF8.self).replacing("\u{FFFE}", with: "\\ufffe").utf8) }
        }
        var placed = placed
        placed.members = escaped(placed.members)
        placed.section = escaped(placed.section)
        return placed
    }

    /// A line of a model's own `section` is renamed.
    private static func withRenamedSection(_ placed: Placed) -> Placed {
        var placed = placed
        if let own = placed.members.removeValue(forKey: Array("section".utf8)) {
            placed.members[Array("section-2".utf8)] = own
        }
        return placed
    }

    /// What a table holds: texts, no empty ones, no NUL, a title for a section.
    private static func asTable(_ placed: Placed) -> Placed {
        var table = placed
        table.members = [:]
        for (name, value) in placed.members {
            var text = value
            if value.first == 0x22 { text = Array(JSONString(trusted: value[...]).utf8).filter { $0 != 0 } }
            guard !text.isEmpty else { continue }
            let isOwn = [Array("section".utf8), Array("sectionTitle".utf8)].contains(name)
            var json: [UInt8] = []
            JSONWriter.append(string: text, to: &json)
            table.members[isOwn ? name + Array("-2".utf8) : name] = name == Array("duration".utf8) ? text : json
        }
        table.section = placed.section.filter { ["id", "title"].map { Array($0.utf8) }.contains($0.key) }
        let title = Array("title".utf8)
        if let value = placed.section[title] {
            var json: [UInt8] = []
            JSONWriter.append(string: Array(JSONString(trusted: value[...]).utf8).filter { $0 != 0 }, to: &json)
            table.section[title] = json
        }
        return table
    }
}

/// Counts the elements of a document.
private final class ElementCount: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var ids: [String] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        counts[name, default: 0] += 1
        if name == "medley:item", let id = attributes["id"] { ids.append(id) }
    }
}
