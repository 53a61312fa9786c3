import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import Testing

/// Two states of one feed: what differs between them is the diff, and what people did in between stays.
@Suite struct FeedImportTests {
    private static func shared(_ name: String) -> URL {
        let root =
            ProcessInfo.processInfo.environment["MEDLEY_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
        return root.appendingPathComponent("data").appendingPathComponent(name)
    }

    private static let before = shared("podcast-2018-01-20-Intercepted.xml")
    private static let after = shared("podcast-2018-02-03-Intercepted.xml")
    private static let isShared =
        FileManager.default.fileExists(atPath: before.path) && FileManager.default.fileExists(atPath: after.path)

    @Test(.enabled(if: isShared, "no feeds in ../shared/data; MEDLEY_SHARED names another place"))
    func aRealFeedAFortnightLater() async throws {
        try await twoStates(
            try Data(contentsOf: Self.before), try Data(contentsOf: Self.after),
            new: [
                "53934cc4-0712-11e8-929c-1bcc1b677578", "366e5f2a-fb38-11e7-847d-3709dcd25861",
                "366970c8-fb38-11e7-847d-5376b55355c7", "51eff276-fe3b-11e7-bfff-f76c738c2592",
            ],
            // The publisher has put a new `updated` into the address of every older episode.
            changed: nil)
    }

    /// Three new episodes and one corrected title are three inserts and one update.
    @Test func aSmallFeedWithNewAndCorrectedEpisodes() async throws {
        func feed(_ episodes: [(Int, String)]) -> Data {
            let items = episodes.map { number, title in
                """
                <item><guid isPermaLink="false">e\(number)</guid><title>\(title)</title>
                <enclosure url="https://e.example/\(number).mp3" length="1000" type="audio/mpeg"/>
                <itunes:duration>00:1\(number):00</itunes:duration>
                <pubDate>Tue, 0\(number) May 2018 10:00:00 +0000</pubDate></item>
                """
            }
            return Data(
                ("<?xml version=\"1.0\"?><rss version=\"2.0\" "
                    + "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>Cast</title>"
                    + items.joined() + "</channel></rss>").utf8)
        }
        try await twoStates(
            feed([(4, "Four"), (3, "Three"), (2, "Tow"), (1, "One")]),
            feed([(7, "Seven"), (6, "Six"), (5, "Five"), (4, "Four"), (3, "Three"), (2, "Two"), (1, "One")]),
            new: ["e7", "e6", "e5"], changed: ["e2"])
    }

    /// - Parameters:
    ///   - new: the ids of the new episodes, in the feed's order.
    ///   - changed: the ids of the changed ones; `nil` for all of the first state.
    private func twoStates(_ first: Data, _ second: Data, new: [ItemID], changed: [ItemID]?) async throws {
        let running = try RunningServer()
        let run = try await ImportRun(Array(first), "feed.xml", into: running)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let imported = try #require(try ImportRun.collection(of: running)).content.allItems.map(\.id)
        let again = try await ImportRun(Array(first), "feed.xml", into: running)
        #expect(again.printed.contains("inserted 0, updated 0, unchanged \(imported.count)"), "\(again.printed)")

        // Somebody likes one, and puts the last one first.
        let connection = try running.connect()
        let liked = imported[1]
        let last = try #require(imported.last)
        let section = try #require(try ImportRun.collection(of: running)).content.sections[0].id
        let edit = try connection.patch(
            "c", [Change(.setLiked([liked], true)), Change(.move([last], to: .first(in: section)))])
        let revision = try #require(edit.answer?.to)

        let update = try await ImportRun(Array(second), "feed.xml", into: running)
        #expect(update.status == 0 && update.errors.isEmpty, "\(update)")
        let answer = try connection.changes("c", since: revision)
        var inserted: [ItemID] = []
        var updated: [ItemID] = []
        for change in answer.changes ?? [] {
            switch change.operation {
            case .insert(let items, _): inserted += items.map(\.id)
            case .update(let items): updated += items.map(\.id)
            default: Issue.record("\(change)")
            }
        }
        #expect(inserted == new)
        #expect(Set(updated) == Set(changed ?? imported))
        let now = try #require(try ImportRun.collection(of: running)).content
        // New episodes come last, in the feed's order, and what was arranged by hand stays so.
        #expect(now.allItems.map(\.id) == [last] + imported.dropLast() + new)
        #expect(now.allItems.filter(\.liked).map(\.id) == [liked])

        let ordered = try await ImportRun(Array(second), "feed.xml", into: running, ["--order", "source"])
        #expect(ordered.status == 0, "\(ordered)")
        let then = try #require(try ImportRun.collection(of: running)).content
        #expect(then.allItems.map(\.id) == new + imported)
        #expect(then.allItems.filter(\.liked).map(\.id) == [liked])
    }
}
