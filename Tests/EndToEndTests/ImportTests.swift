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
        let output = ImportCommand.Output(
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
        try await importTwiceThenEdit(
            source, count: 3201, sections: 13,
            options: ["--section", "Major Genre", "--type", "video", "--map", "title=Title"],
            identity: "Title,Release Date",
            edit: ("\"US Gross\": 146083, \"Worldwide Gross\"", "\"US Gross\": 146084, \"Worldwide Gross\""),
            edited: "The Land Girls")
    }

    @Test(
        .enabled(
            if: exists("classic-rock-song-list.csv"),
            "no ../shared/data/classic-rock-song-list.csv; MEDLEY_SHARED names another place"))
    func songs() async throws {
        let source = Self.data.appendingPathComponent("classic-rock-song-list.csv")
        try await importTwiceThenEdit(
            source, count: 2229, sections: 475,
            options: [
                "--section", "ARTIST CLEAN", "--type", "music", "--map", "title=Song Clean,artist=ARTIST CLEAN",
            ],
            identity: "Song Clean,ARTIST CLEAN,F*G,Year?,PlayCount",
            edit: ("Caught Up in You by .38 Special,1,1,82,82", "Caught Up in You (live) by .38 Special,1,1,82,82"),
            edited: "Caught Up in You")
    }

    @Test func ownTable() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let rows = (0..<500).map { "Song \($0),Artist \($0 % 20),\(1950 + $0 % 70),\"a, \"\"quoted\"\" note\"" }
        try Data(("Song,Artist,Year,Note\n" + rows.joined(separator: "\n") + "\n").utf8).write(to: file)
        try await importTwiceThenEdit(
            file, count: 500, sections: 20,
            options: ["--section", "Artist", "--type", "music", "--map", "title=Song,artist=Artist"],
            identity: "Song,Artist", edit: ("Song 17,Artist 17,1967", "Song 17,Artist 17,1968"), edited: "Song 17")
    }

    /// Imports a file twice, likes an item, edits it in the file and imports it again: the second import changes nothing, the
    /// third updates that one item, and the like stays.
    private func importTwiceThenEdit(
        _ source: URL, count: Int, sections: Int, options: [String], identity: String, edit: (String, String),
        edited title: String
    ) async throws {
        let running = try RunningServer()
        let connection = try running.connect()
        let options = options + ["--id", identity]
        let first = await run(source, into: running, options)
        #expect(first.0 == 0, "\(first)")
        #expect(first.1.hasPrefix("read \(count), inserted \(count), updated 0, unchanged 0, refused 0"), "\(first.1)")
        let held = try connection.snapshot("c")
        let snapshot = try Replica(json: held.json, revision: held.revision).snapshot
        #expect(snapshot.itemCount == count)
        #expect(snapshot.sectionCount == sections)

        let second = await run(source, into: running, options)
        #expect(second.1.hasPrefix("read \(count), inserted 0, updated 0, unchanged \(count)"), "\(second.1)")
        #expect(try connection.snapshot("c").revision == held.revision)

        let items = snapshot.orderedSections.flatMap { Array($0.items()) }
        let item = try #require(
            items.first { $0.model.string(of: "title").map { String(decoding: $0, as: UTF8.self) } == title })
        #expect(try connection.patch("c", [Change(.setLiked([item.id], true))]).answer != nil)
        let liked = try connection.snapshot("c").revision

        let text = try String(contentsOf: source, encoding: .utf8)
        let range = try #require(text.range(of: edit.0))
        let changed = FileManager.default.temporaryDirectory
            .appendingPathComponent("medley-\(UUID().uuidString).\(source.pathExtension)")
        defer { try? FileManager.default.removeItem(at: changed) }
        try Data(text.replacingCharacters(in: range, with: edit.1).utf8).write(to: changed)
        let third = await run(changed, into: running, options)
        #expect(third.1.hasPrefix("read \(count), inserted 0, updated 1, unchanged \(count - 1)"), "\(third.1)")
        let changes = try #require(try connection.changes("c", since: liked).changes)
        #expect(changes.count == 1)
        guard case .update(let contents)? = changes.first?.operation else {
            Issue.record("\(changes)")
            return
        }
        #expect(contents.map(\.id) == [item.id])
        #expect(contents.first?.liked == true)
    }
}
