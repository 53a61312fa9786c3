import Foundation
import JSONText
import MedleyJSON
import Testing

@testable import MedleyCore

/// A diff is a patch, over the wire: what GET returns turns a replica and another server's collection into the snapshot.
@Suite struct WindowTests {
    @Test(arguments: 0..<3)
    func changesLeadFromEveryRevisionToEveryLater(run: UInt64) throws {
        let seed = SeededGenerator.seed &+ 5000 &+ run
        print("MEDLEY_SEED=\(seed) run 0")
        var edits = RandomEdits(seed: seed)
        let (first, second) = (try RunningServer(), try RunningServer())
        let (writer, other) = (try first.connect(), try second.connect())
        let start = #"{"title":"T","sections":[{"id":"s1","items":[{"id":"a","type":"music"}]},{"id":"s2"}]}"#
        #expect(try writer.send("PUT", "/v1/collections/c", json: Array(start.utf8)).status == 201)
        var held = [try writer.snapshot("c")]
        var windows = 0
        for _ in 0..<24 {
            let latest = held[held.count - 1]
            let replica = try Replica(json: latest.json, revision: latest.revision)
            let request = edits.request(on: NaiveCollection(replica.snapshot))
            let (reply, answer) = try writer.patch("c", request)
            try #require(reply.status == 200, "\(reply.text)")
            let snapshot = try writer.snapshot("c")
            #expect(answer?.to == snapshot.revision)
            if snapshot.revision == latest.revision {
                #expect(answer?.changes?.isEmpty == true)
                continue
            }
            // The writer's own diff.
            try check(answer, from: latest, to: snapshot, other)
            for old in held {
                try check(try writer.changes("c", since: old.revision), from: old, to: snapshot, other)
                windows += 1
            }
            held.append(snapshot)
        }
        print("\(windows) windows over the wire")
        #expect(windows > 50)
    }

    private func check(
        _ answer: ChangesAnswer?, from old: (json: [UInt8], revision: Revision),
        to new: (json: [UInt8], revision: Revision), _ other: ServerConnection
    ) throws {
        let answer = try #require(answer)
        let changes = try #require(answer.changes)
        #expect(answer.to == new.revision)
        #expect(answer.from == (answer.isReset ? nil : old.revision))
        var replica = try Replica(json: old.json, revision: old.revision)
        try replica.apply(changes, isReset: answer.isReset, to: answer.to)
        #expect(NaiveCollection(replica.snapshot).json(id: "c", revision: new.revision) == new.json)
        // As a patch on another server's collection in the old state; a reset is a `deleteAll` and its changes.
        _ = try other.send("DELETE", "/v1/collections/c")
        let put = try other.send("PUT", "/v1/collections/c", json: old.json)
        #expect(put.status == 201, "\(put.text)")
        let patch = (answer.isReset ? [Change(.deleteAll)] : []) + changes
        let (reply, _) = try other.patch("c", patch)
        #expect(reply.status == 200, "\(reply.text)")
        let copy = try other.snapshot("c")
        // Members that were only put in another order are kept in theirs.
        var copied = NaiveCollection(try Replica(json: copy.json, revision: copy.revision).snapshot).inOneOrder
        let expected = NaiveCollection(replica.snapshot).inOneOrder
        // `deleteAll` leaves the collection's own members, and a reset names those that are set.
        if answer.isReset { copied.members = expected.members }
        #expect(copied == expected)
    }

    /// What each `since` is answered by, and that a client gets from anywhere to the snapshot by `reset=inline`.
    @Test func whatIsNoLongerKnownIsToldAndReset() throws {
        let running = try RunningServer()
        let connection = try running.connect()
        let path = "/v1/collections/c"
        let items = (0..<60).map { #"{"id":"i\#($0)","type":"music","title":"Item \#($0)"}"# }.joined(separator: ",")
        let start = Array(#"{"title":"T","sections":[{"id":"s","items":[\#(items)]}]}"#.utf8)
        #expect(try connection.send("PUT", path, json: start).status == 201)
        let first = try connection.snapshot("c")
        #expect(try connection.send("DELETE", path).status == 204)
        #expect(try connection.send("GET", "\(path)/changes?since=\(first.revision)").status == 404)
        #expect(try connection.send("PUT", path, json: start).status == 201)
        let second = try connection.snapshot("c")
        #expect(second.revision.lineage != first.revision.lineage)
        let lineage = second.revision.lineage
        let later = Revision(lineage: lineage, number: second.revision.number + 1)
        for (since, code) in [(first.revision, "lineage-changed"), (later, "revision-unknown")] {
            let refused = try connection.send("GET", "\(path)/changes?since=\(since)")
            #expect(refused.status == 410)
            #expect(refused.text.contains("/problems/\(code)\""), "\(refused.text)")
            #expect(refused.text.contains(#""current":"\#(second.revision)""#))
            #expect(refused["Cache-Control"] == "no-store")
            try follow(connection, "?since=\(since)&reset=inline", from: first, isReset: true)
        }
        try follow(connection, "", from: first, isReset: true)
        try follow(connection, "?since=\(second.revision)&reset=inline", from: second, isReset: false)
        // A list longer than the snapshot, and than 1 KiB.
        #expect(
            try connection.patch("c", [Change(.delete((1..<60).map { ItemID("i\($0)") }))]).answer?.isReset == false)
        try follow(connection, "?since=\(second.revision)", from: second, isReset: false)
        let long = JSONMembers(trusted: Array("\"n\":\"\(String(repeating: "x", count: 2_000))\"".utf8))
        let content = ItemContent(id: "long", type: ItemType("video"), liked: nil, model: long)
        let (_, answer) = try connection.patch("c", [Change(.insert([content], at: .last(in: nil)))])
        #expect(answer?.isReset == false)
        try follow(connection, "?since=\(second.revision)", from: second, isReset: true)
        for text in [
            "since=", "since=\(lineage)", "since=\(lineage)-", "since=\(lineage)-1&since=\(lineage)-1", "since=%20",
        ] {
            #expect(try connection.send("GET", "\(path)/changes?\(text)").status == 400, "\(text)")
        }
    }

    /// Applies the answer to a query to what a client holds, which is then what the server has.
    private func follow(
        _ connection: ServerConnection, _ query: String, from held: (json: [UInt8], revision: Revision), isReset: Bool
    ) throws {
        let reply = try connection.send("GET", "/v1/collections/c/changes\(query)")
        try #require(reply.status == 200, "\(reply.text)")
        let answer = try ChangeDecoder().changesAnswer(reply.body)
        #expect(answer.isReset == isReset)
        var replica = try Replica(json: held.json, revision: held.revision)
        try replica.apply(answer.changes ?? [], isReset: answer.isReset, to: answer.to)
        let new = try connection.snapshot("c")
        #expect(answer.to == new.revision)
        #expect(NaiveCollection(replica.snapshot).json(id: "c", revision: new.revision) == new.json)
    }
}
