import Foundation
import JSONText
import MedleyApp
import MedleyCore
import MedleyJSON
import Synchronization
import Testing

/// `medley import` into a live server.
@Suite struct ImportTests {
    private static let data =
        (ProcessInfo.processInfo.environment["MEDLEY_SHARED"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared"))
        .appendingPathComponent("data")

    private static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: data.appendingPathComponent(name).path)
    }

    /// Runs the command; what it printed, and what it complained about.
    private func run(_ file: URL, into target: RunningServer, _ options: [String]) async -> (Int32, String, String) {
        let (printed, errors) = (Text(), Text())
        let output = CommandOutput(
            print: { printed.add($0) }, error: { errors.add($0) }, isTerminal: false)
        let status = await ImportCommand.run(
            [file.path, "--into", "http://127.0.0.1:\(target.port)/v1/collections/c"] + options, output: output)
        return (status, printed.all, errors.all)
    }

    private final class Text: Sendable {
        private let text = Mutex("")
        var all: String { text.withLock { $0 } }
        func add(_ more: String) { text.withLock { $0 += more } }
    }

    @Test(
        .enabled(if: exists("movies.json"), "no ../shared/data/movies.json; MEDLEY_SHARED names another place"))
    func films() async throws {
        let source = Self.data.appendingPathComponent("movies.json")
        let options = ["--section", "Major Genre", "--type", "video", "--map", "title=Title"]
        // Without an id, those that are made from the content tell equal films apart too.
        let running = try RunningServer()
        try await importTwice(source, into: running, count: 3201, sections: 13, options: options)
        let titles = try read(running).allItems.map { $0.model.string(of: "title") }
        // A title that is a number became its text; one that is null was left out.
        #expect(titles.contains(ArraySlice("300".utf8)))
        #expect(titles.contains(nil))
        try await edit(
            source, into: try RunningServer(), count: 3201, options: options + ["--id", "Title,Release Date"],
            edit: ("\"US Gross\": 146083, \"Worldwide Gross\"", "\"US Gross\": 146084, \"Worldwide Gross\""),
            edited: "The Land Girls")
    }

    @Test(
        .enabled(
            if: exists("classic-rock-song-list.csv"),
            "no ../shared/data/classic-rock-song-list.csv; MEDLEY_SHARED names another place"))
    func songs() async throws {
        try await importTwice(
            Self.data.appendingPathComponent("classic-rock-song-list.csv"), into: try RunningServer(), count: 2229,
            sections: 475,
            options: [
                "--section", "ARTIST CLEAN", "--type", "music", "--map", "title=Song Clean,artist=ARTIST CLEAN",
            ])
    }

    @Test func ownTable() async throws {
        let rows = (0..<500).map { "Song \($0),Artist \($0 % 20),\(1950 + $0 % 70),\"a, \"\"quoted\"\" note\"" }
        // The last row stands twice; without an id both are kept.
        let file = try written(
            "Song,Artist,Year,Note\n" + (rows + rows.suffix(1)).joined(separator: "\n") + "\n", "csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let options = ["--section", "Artist", "--type", "music", "--map", "title=Song,artist=Artist"]
        let running = try RunningServer()
        try await importTwice(file, into: running, count: 501, sections: 20, options: options)
        #expect(try read(running).allItems.first?.model.value(of: "Note") == ArraySlice(#""a, \"quoted\" note""#.utf8))

        let single = try written("Song,Artist,Year,Note\n" + rows.joined(separator: "\n") + "\n", "csv")
        defer { try? FileManager.default.removeItem(at: single) }
        try await edit(
            single, into: try RunningServer(), count: 500, options: options + ["--id", "Song,Artist"],
            edit: ("Song 17,Artist 17,1967", "Song 17,Artist 17,1968"), edited: "Song 17")
    }

    @Test func ownObjects() async throws {
        let films = (0..<200).map {
            #"{"Title":\#($0 == 7 ? "300" : "\"Film \($0)\""),"Genre":"G\#($0 % 5)","Gross":\#($0).10,"Year":null}"#
        }
        let file = try written("[\n" + films.joined(separator: ",\n") + "\n]", "json")
        defer { try? FileManager.default.removeItem(at: file) }
        let options = ["--section", "Genre", "--type", "video", "--map", "title=Title"]
        let running = try RunningServer()
        try await importTwice(file, into: running, count: 200, sections: 5, options: options)
        let items = try read(running).allItems
        #expect(items.contains { $0.model.string(of: "title") == ArraySlice("300".utf8) })
        #expect(items.contains { $0.model.value(of: "Gross") == ArraySlice("7.10".utf8) })
        try await edit(
            file, into: try RunningServer(), count: 200, options: options + ["--id", "Title"],
            edit: (#""Gross":42.10"#, #""Gross":43.10"#), edited: "Film 42")
    }

    /// What cannot be read is told with its line and its reason; all else is there.
    @Test func refusedLinesAreNamed() async throws {
        let file = try written(
            """
            {"id":"a","title":"First"}
            {"id":"b","title":"Second",}
            {"id":"","title":"No id"}
            [1]
            {"id":"c","title":"Third"}

            """, "jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        let running = try RunningServer()
        let (status, printed, errors) = await run(file, into: running, ["--type", "music", "--id", "id"])
        #expect(status == 1)
        #expect(printed.hasPrefix("read 5, inserted 3, updated 0, unchanged 0, refused 2"), "\(printed)")
        // The line without an id is taken with one made from its content, which is told too.
        for (line, reason) in [(2, "not valid JSON"), (3, "no value for the id"), (4, "not a JSON object")] {
            #expect(
                errors.split(separator: "\n").count { $0.contains("line \(line)") && $0.contains(reason) } == 1,
                "\(errors)")
        }
        let titles = try read(running).allItems.map { $0.model.string(of: "title") }
        #expect(titles == ["First", "No id", "Third"].map { ArraySlice($0.utf8) })
    }

    private func written(_ text: String, _ form: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString).\(form)")
        try Data(text.utf8).write(to: file)
        return file
    }

    private func read(_ running: RunningServer) throws -> NaiveCollection {
        let held = try running.connect().snapshot("c")
        return NaiveCollection(try Replica(json: held.json, revision: held.revision).snapshot)
    }

    /// Imports a file, and once more, which makes no revision.
    private func importTwice(
        _ source: URL, into running: RunningServer, count: Int, sections: Int, options: [String]
    ) async throws {
        let first = await run(source, into: running, options)
        #expect(first.0 == 0, "\(first)")
        #expect(first.1.hasPrefix("read \(count), inserted \(count), updated 0, unchanged 0, refused 0"), "\(first.1)")
        let held = try read(running)
        #expect(held.allItems.count == count)
        #expect(held.sections.count == sections)
        let connection = try running.connect()
        let revision = try connection.snapshot("c").revision
        let second = await run(source, into: running, options)
        #expect(second.0 == 0, "\(second)")
        #expect(
            second.1.hasPrefix("read \(count), inserted 0, updated 0, unchanged \(count), refused 0"), "\(second.1)")
        #expect(try connection.snapshot("c").revision == revision)
    }

    /// Imports a file, likes an item, edits it in the file and imports it again: that updates this one item, and the like
    /// stays.
    private func edit(
        _ source: URL, into running: RunningServer, count: Int, options: [String], edit: (String, String),
        edited title: String
    ) async throws {
        let first = await run(source, into: running, options)
        #expect(first.0 == 0, "\(first)")
        #expect(first.1.hasPrefix("read \(count), inserted \(count), updated 0, unchanged 0, refused 0"), "\(first.1)")
        let item = try #require(
            try read(running).allItems.first { $0.model.string(of: "title") == ArraySlice(title.utf8) })
        let connection = try running.connect()
        #expect(try connection.patch("c", [Change(.setLiked([item.id], true))]).answer != nil)
        let liked = try connection.snapshot("c").revision

        let text = try String(contentsOf: source, encoding: .utf8)
        let range = try #require(text.range(of: edit.0))
        let changed = try written(text.replacingCharacters(in: range, with: edit.1), source.pathExtension)
        defer { try? FileManager.default.removeItem(at: changed) }
        let again = await run(changed, into: running, options)
        #expect(
            again.1.hasPrefix("read \(count), inserted 0, updated 1, unchanged \(count - 1), refused 0"), "\(again.1)")
        let answer = try connection.changes("c", since: liked)
        #expect(!answer.isReset)
        guard answer.changes?.count == 1, case .update(let contents)? = answer.changes?.first?.operation else {
            Issue.record("\(answer)")
            return
        }
        #expect(contents.map(\.id) == [item.id])
        #expect(contents.first?.liked == true)
        #expect(contents.first?.model != item.model)
    }
}
