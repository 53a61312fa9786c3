import Foundation
import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON
import Testing

/// The client over the network, against the whole service.
@Suite struct LiveClientTests {
    private func client(_ running: RunningServer) throws -> MedleyClient {
        MedleyClient(url: try #require(URL(string: "http://127.0.0.1:\(running.port)")))
    }

    private func json(_ snapshot: Snapshot, _ id: String = "mix") -> String {
        String(decoding: NaiveCollection(snapshot).json(id: id, revision: snapshot.revision), as: UTF8.self)
    }

    private func served(_ running: RunningServer, _ id: String = "mix") throws -> String {
        String(decoding: try running.connect().snapshot(id).json, as: UTF8.self)
    }

    @Test func everyOperationIsSeenByAFollower() async throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let collection = try client(running).collection("mix")
        var updates = collection.updates().makeAsyncIterator()
        let first = try #require(try await updates.next())
        #expect(first.isReset && first.before == nil)
        #expect(json(first.snapshot) == (try served(running)))
        let title = JSONMembers(trusted: Array(#""title":"New""#.utf8))
        let item = ItemContent(id: "new .,/é", type: ItemType("music"), liked: nil, model: title)
        let section = SectionContent(id: "s", members: title)
        var scanner = JSONScanner(Array(#"{"rating":5,"title":null}"#.utf8))
        let patch = try JSONMergePatch(from: &scanner)
        let order = Array(
            try #require(first.snapshot.orderedSections.first).items().map(\.id).reversed())
        let sectionID = try #require(first.snapshot.orderedSections.first).id
        let operations: [(CollectionClient) async throws -> ChangesAnswer] = [
            { try await $0.reorder(sectionID, order) },
            { try await $0.insertSection([section], at: .first) }, { try await $0.insert([item], at: .first(in: "s")) },
            { try await $0.like(["new .,/é"]) }, { try await $0.toggleLike(["v1", "v2"]) },
            { try await $0.unlike(["new .,/é"]) }, { try await $0.merge(["new .,/é"], ItemPatch(model: patch)) },
            { try await $0.move(["v3"], to: .after("new .,/é", section: nil)) }, { try await $0.update([item]) },
            { try await $0.upsert([item], at: .last(in: nil)) }, { try await $0.moveSection(["s"], to: .last) },
            { try await $0.updateSection([SectionContent(id: "s", members: .empty)]) },
            { try await $0.updateCollection(patch) }, { try await $0.delete(["new .,/é"]) },
            { try await $0.deleteSection(["s"]) },
            { try await $0.edit([Change(.delete(["m1"])), Change(.toggleLiked(["v1"]))]) },
            { try await $0.deleteAll() },
        ]
        for operation in operations {
            let answer = try await operation(collection)
            #expect(answer.from != answer.to)
            let update = try #require(try await updates.next())
            #expect(!update.isReset || answer.isReset || update.snapshot.itemCount == 0)
            #expect(update.snapshot.revision == answer.to)
            if !update.isReset { #expect(update.changes == answer.changes) }
            #expect(json(update.snapshot) == (try served(running)))
        }
    }

    @Test func aWholeCollectionIsMadeReplacedAndDeletedAndTheFollowerTold() async throws {
        let running = try RunningServer()
        defer { withExtendedLifetime(running) {} }
        let client = try client(running)
        let collection = client.collection("c")
        #expect(try await collection.snapshot() == nil)
        #expect(try await collection.items(["x"]) == nil)
        var events = CollectionClient(
            url: try CollectionURL("http://127.0.0.1:\(running.port)/v1/collections/c"),
            retries: RetryPolicy(first: 0.01)
        ).events().makeAsyncIterator()
        func next() async throws -> String {
            switch try await events.next() {
            case .connected: "connected"
            case .gone: "gone"
            case .updated(let update): "\(update.isReset ? "reset" : "updated") \(update.snapshot.itemCount)"
            case let other: "\(String(describing: other))"
            }
        }
        #expect(try await [next(), next()] == ["connected", "gone"])
        let title = JSONMembers(trusted: Array(#""title":"T""#.utf8))
        func content(_ ids: [ItemID]) -> SnapshotContent {
            let items = ids.map { ItemContent(id: $0, type: ItemType("music"), liked: nil, model: title) }
            return SnapshotContent(
                members: title, sections: [.init(content: SectionContent(id: "s", members: title), items: items)])
        }
        #expect(try await collection.create(content(["x", "y"])) != nil)
        #expect(try await collection.create(content([])) == nil)
        #expect(try await next() == "reset 2")
        let many = (0..<50).map { ItemID("i\($0)") }
        try await collection.replace(with: content(["y"] + many))
        #expect(try await next() == "updated 51")
        let answer = try #require(try await collection.items(["i7", "x", "y"]))
        #expect(answer.items.map(\.id) == ["i7", "y"] && answer.missing == ["x"])
        #expect(try await client.collections().map(\.itemCount) == [51])
        #expect(try await collection.deleteCollection())
        #expect(try await !collection.deleteCollection())
        #expect(try await next() == "gone")
        try await collection.create(content([]))
        #expect(try await next() == "reset 0")
    }

    @Test func aRefusalAndAStaleEditSayWhatIsMissing() async throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let collection = try client(running).collection("mix")
        let held = try #require(try await collection.snapshot())
        let missing = await #expect(throws: ClientError.self) { try await collection.delete(["v1", "nobody"]) }
        #expect(missing?.problem?.code == "item-not-found")
        #expect(missing?.problem?.pointer == "/changes/0/ids/1")
        let done = try await collection.delete(["v1"])
        let stale = await #expect(throws: ClientError.self) {
            try await collection.edit([Change(.delete(["v2"]))], ifRevision: held.revision)
        }
        #expect(stale?.problem?.current == done.to)
        var replica = Replica(held)
        let difference = try #require(stale?.problem?.difference)
        try replica.apply(difference.changes ?? [], isReset: difference.isReset, to: difference.to)
        #expect(json(replica.snapshot) == (try served(running)))
        let answer = try await collection.edit([Change(.delete(["v2"]))], base: held.revision)
        #expect(answer.from == held.revision)
        #expect(answer.changes == [Change(.delete(["v1", "v2"]))])
    }

    @Test func cancellationFreesTheServersPlaceAtOnce() async throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let collection = try client(running).collection("mix")
        let tasks = (0..<2).map { _ in
            Task {
                var count = 0
                for try await _ in collection { count += 1 }
                return count
            }
        }
        try await HeldPollTests.untilHeld(2, running)
        try await collection.like(["v1"])
        try await HeldPollTests.untilHeld(2, running)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(try await task.value <= 2) }
        try await HeldPollTests.untilHeld(0, running)
    }
}
