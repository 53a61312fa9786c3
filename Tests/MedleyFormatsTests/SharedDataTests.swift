import Foundation
import JSONText
import MedleyCore
import MedleyFormats
import MedleyJSON
import Testing

/// Real files, which are not part of the project: they lie beside it, or where `MEDLEY_SHARED` says.
@Suite struct SharedDataTests {
    static let directory =
        ProcessInfo.processInfo.environment["MEDLEY_SHARED"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")

    static func path(_ name: String) -> String { directory.appendingPathComponent("data/\(name)").path }
    static func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    struct Outcome {
        var items: [MappedItem] = []
        var refusals: [ImportRefusal] = []
        var notices: [ImportNotice] = []
        var fields = 0
        var nulls = 0
    }

    static func read(_ name: String, _ mapping: RecordMapping) throws -> Outcome {
        var (_, reader) = try MediaFile.open(path: path(name))
        if let columns = reader.columns { try mapping.check(columns: columns) }
        var mapper = RecordMapper(mapping)
        var outcome = Outcome()
        while let entry = try reader.next() {
            switch entry {
            case .record(let record):
                outcome.items.append(mapper.item(of: record))
                outcome.fields += record.fields.count
                outcome.nulls += record.fields.count { $0.value == .json(Array("null".utf8)) }
            case .refusal(let refusal): outcome.refusals.append(refusal)
            case .notice(let notice): outcome.notices.append(notice)
            case .section, .collection: break
            }
        }
        #expect(mapper.fieldsNotSeen.isEmpty)
        outcome.notices += outcome.items.flatMap(\.notices)
        return outcome
    }

    @Test(.enabled(if: exists("movies.json"), "no ../shared/data/movies.json; MEDLEY_SHARED names another place"))
    func readsTheFilms() throws {
        let outcome = try Self.read(
            "movies.json",
            RecordMapping(
                type: ItemType("video"), section: Array("Major Genre".utf8),
                members: RecordMapping.members(option: "title=Title,creator=Director"),
                idFields: RecordMapping.fields(option: "Title,Release Date")))
        #expect(outcome.items.count == 3201)
        #expect(outcome.refusals.isEmpty && outcome.notices.isEmpty)
        #expect(Set(outcome.items.map(\.content.id)).count == 3201)
        #expect(Set(outcome.items.compactMap(\.section?.id)).count == 13)
        // One title and 1,331 directors are null; every other field is there.
        #expect(outcome.fields == 3201 * 16)
        #expect(outcome.items.map { $0.content.model.count { _ in true } }.reduce(0, +) == outcome.fields - 1332)
        #expect(
            outcome.items.contains {
                $0.content.model.string(of: "title").map { $0.elementsEqual("300".utf8) } ?? false
            })
        let bytes = ChangeEncoder.encoded([Change(.insert(outcome.items.map(\.content), at: .last(in: nil)))])
        #expect(throws: Never.self) { try ChangeDecoder().changes(bytes) }
    }

    @Test(
        .enabled(
            if: exists("classic-rock-song-list.csv"),
            "no ../shared/data/classic-rock-song-list.csv; MEDLEY_SHARED names another place"))
    func readsTheSongs() throws {
        let outcome = try Self.read(
            "classic-rock-song-list.csv",
            RecordMapping(
                type: ItemType("music"), section: Array("ARTIST CLEAN".utf8),
                members: RecordMapping.members(option: "title=Song Clean,artist=ARTIST CLEAN")))
        #expect(outcome.items.count == 2229)
        #expect(outcome.refusals.isEmpty && outcome.notices.isEmpty)
        #expect(Set(outcome.items.map(\.content.id)).count == 2229)
        #expect(outcome.items.map { $0.content.model.count { _ in true } }.reduce(0, +) == outcome.fields)
        let first = try #require(outcome.items.first)
        #expect(
            first.content.model.text
                == #""title":"Caught Up in You","artist":".38 Special","Release Year":"1982","#
                + #""COMBINED":"Caught Up in You by .38 Special","First?":"1","Year?":"1","PlayCount":"82","F*G":"82""#)
    }

    @Test(
        .enabled(if: exists("movies.json"), "no ../shared/data/movies.json; MEDLEY_SHARED names another place"),
        arguments: [MediaFormat.snapshot, .jsonLines, .jspf, .m3u])
    func writesTheFilmsAndReadsThemAgain(format: MediaFormat) throws {
        let films = try Self.read(
            "movies.json",
            RecordMapping(
                type: ItemType("video"), section: Array("Major Genre".utf8),
                members: RecordMapping.members(option: "title=Title,creator=Director"),
                idFields: RecordMapping.fields(option: "Title,Release Date"))
        ).items.prefix(500)
        var collection = GeneratedCollection(head: .empty)
        for film in films {
            var item = film.content
            item.liked = false
            let section = try #require(film.section)
            if let index = collection.sections.firstIndex(where: { $0.content.id == section.id }) {
                collection.sections[index].items.append(item)
            } else {
                collection.sections.append(.init(content: section, items: [item]))
            }
        }
        let (placed, _, problems) = try GeneratedCollection.read(collection.written(format), format)
        #expect(placed == collection.placed)
        #expect(problems.isEmpty)
    }
}
