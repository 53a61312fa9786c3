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
        let expected = try Replica(json: new.json, revision: new.revision)
        #expect(NaiveCollection(replica.snapshot) == NaiveCollection(expected.snapshot))
        // As a patch on another server's collection in the old state; a reset is a `deleteAll` and its changes.
        _ = try other.send("DELETE", "/v1/collections/c")
        let put = try other.send("PUT", "/v1/collections/c", json: old.json)
        #expect(put.status == 201, "\(put.text)")
        let patch = (answer.isReset ? [Change(.deleteAll)] : []) + changes
        let (reply, _) = try other.patch("c", patch)
        #expect(reply.status == 200, "\(reply.text)")
        let copy = try other.snapshot("c")
        if !answer.isReset {
            #expect(Self.bytes(copy, without: copy.revision) == Self.bytes(new, without: new.revision))
        }
    }

    /// The snapshot's JSON with its revision blanked, the one thing in which two servers differ.
    private static func bytes(_ snapshot: (json: [UInt8], revision: Revision), without revision: Revision) -> String {
        let text = String(decoding: snapshot.json, as: UTF8.self)
        guard let range = text.range(of: "\"revision\":\"\(revision)\"") else { return "no revision in \(text)" }
        return text.replacingCharacters(in: range, with: "\"revision\":\"\"")
    }
}
