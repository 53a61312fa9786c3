import EventLoop
import HTTPCore
import HTTPServer
import Journal
import MedleyCore
import Testing

@testable import MedleyService

/// Limits beyond which nothing is refused.
@Suite struct EasedLimitTests {
    /// Those that are tested here.
    static let names = [
        "pageItems", "editAnswerBytes", "differenceBytes", "unsentBytes", "cursorSnapshots", "cursorBytes",
        "cursorSeconds", "waitSeconds",
    ]
    private static let mix = "/v1/collections/mix"

    @Test func aPageEndsAtItsLimit() async {
        let fixture = await ServiceFixture.withMix { $0.limits.pageItems = 2 }
        let page = await fixture.send("GET", Self.mix + "?limit=4")
        #expect(page.sectionItems.map(\.1) == [["v1", "v2"]])
        #expect(page.object["next"] is String)
    }

    @Test func aPollIsHeldNoLongerThanItsLimit() throws {
        let query = try Query("wait=61", allowed: ["wait"])
        #expect(try query.seconds("wait", most: ServiceLimits().waitSeconds) == 60)
    }

    /// One item with a model of so many bytes, in `a`.
    private func large(_ count: Int, _ fixture: ServiceFixture) async -> String {
        let model = String(repeating: "x", count: count)
        let received = await LimitProbe.put(
            #"{"sections":[{"id":"s","items":[{"id":"i","type":"a","m":"\#(model)"},{"id":"j","type":"a"}]}]}"#, fixture
        )
        #expect(received.object["changes"] != nil)
        return received.headers["Revision"] ?? ""
    }

    @Test(arguments: [(1_000, true), (5_000, false)])
    func theAnswerToASmallEditIsNotLong(_ count: Int, _ isTold: Bool) async {
        let fixture = await ServiceFixture.withMix { $0.limits.editAnswerBytes = 2_000 }
        let base = await large(count, fixture)
        for terms in ["", #""base":"\#(base)","#] {
            let json = #"{\#(terms)"changes":[{"op":"toggleLike","ids":["i"]}]}"#
            let edit = await fixture.send("PATCH", "/v1/collections/a", json: json)
            #expect(edit.status == 200)
            #expect(edit.object["to"] as? String == edit.headers["Revision"])
            #expect((edit.object["changes"] != nil) == isTold)
        }
        let stale = await fixture.send(
            "PATCH", "/v1/collections/a", json: #"{"ifRevision":"other-1","changes":[]}"#)
        #expect(stale.code == "revision-stale")
        #expect(stale.object["current"] is String)
        #expect((stale.object["changes"] != nil) == isTold)
    }

    @Test(arguments: [(1 << 20, true), (2_000, false)])
    func theAnswerToAnImportIsNotLong(_ bytes: Int, _ isTold: Bool) async {
        let fixture = await ServiceFixture.withMix { $0.limits.editAnswerBytes = bytes }
        let csv = [("Content-Type", "text/csv")]
        let items = (0..<300).map { #"{"id":"an-item-with-a-long-id-\#($0)","type":"a"}"# }.joined(separator: ",")
        _ = await LimitProbe.put(#"{"sections":[{"id":"s","items":[\#(items)]}]}"#, fixture)
        for query in ["?prune=true&dryRun=true", "?prune=true"] {
            let received = await fixture.send("POST", "/v1/collections/a/import\(query)", csv, json: "id,type\nn,a\n")
            #expect(received.status == 200)
            #expect((received.object["changes"] != nil) == isTold)
            #expect((received.object["counts"] as? [String: Int])?["deleted"] == 300)
        }
        // Each item repeats the names of the columns.
        let name = String(repeating: "x", count: 1_000)
        let table = "id,\(name)\n" + (0..<100).map { "i\($0),y\n" }.joined()
        for query in ["?dryRun=true", ""] {
            let received = await fixture.send("POST", "/v1/collections/wide/import\(query)", csv, json: table)
            #expect(received.status == (query.isEmpty ? 201 : 200))
            #expect((received.object["changes"] != nil) == isTold)
            #expect((received.object["counts"] as? [String: Int])?["inserted"] == 100)
            #expect((received.object["reset"] as? Bool == true) == query.isEmpty)
        }
        #expect(fixture.library.snapshot(of: "wide")?.itemCount == 100)
    }

    @Test func aDifferenceForWhichThereIsNoRoomIsAReset() async {
        for (bytes, isReset) in [(1_000_000, false), (100_000, true)] {
            let fixture = await ServiceFixture.withMix { $0.limits.differenceBytes = bytes }
            let base = await large(80_000, fixture)
            _ = await fixture.send("PATCH", "/v1/collections/a", json: #"{"changes":[{"op":"like","ids":["i"]}]}"#)
            let answer = await fixture.send("GET", "/v1/collections/a/changes?since=\(base)")
            #expect(answer.status == 200)
            #expect((answer.object["reset"] as? Bool == true) == isReset)
            // What is small is told all the same.
            let base2 = fixture.library.snapshot(of: "a")?.revision.description ?? ""
            _ = await fixture.send("PATCH", "/v1/collections/a", json: #"{"changes":[{"op":"like","ids":["j"]}]}"#)
            let small = await fixture.send("GET", "/v1/collections/a/changes?since=\(base2)")
            #expect(small.object["reset"] == nil && small.object["changes"] != nil)
        }
    }

    @Test func requestsOfAClientThatDoesNotReadWait() async throws {
        let fixture = await ServiceFixture.withMix { $0.limits.unsentBytes = 1 }
        _ = await large(60_000, fixture)
        let served = try await fixture.served()
        let client = try served.connect()
        let count = 2_000
        try client.send(String(repeating: served.text("GET", "/v1/collections/a/items/i"), count: count))
        // What was sent before on another connection of the same loop was seen when this is answered for the second time.
        for _ in 0..<2 { #expect(try served.send("GET", "/healthz").status == 200) }
        // The system takes some MiB off the server's hands, and then it goes no further.
        #expect(served.server.metrics.requests < count / 2)
        for _ in 0..<count { #expect(try client.receive().body.count > 60_000) }
    }

    private func cursor(_ fixture: ServiceFixture) async -> String {
        let cursor = await fixture.send("GET", Self.mix + "?limit=1").object["next"] as? String ?? ""
        // The next one is of another revision.
        _ = await fixture.send("PATCH", Self.mix + "/items/v1", json: #"{"n":"\#(cursor)"}"#)
        return cursor
    }

    @Test(arguments: ["cursorSnapshots", "cursorBytes", "cursorSeconds"])
    func aCursorIsHeldWithinTheLimits(name: String) async {
        let fixture = await ServiceFixture.withMix { configuration in
            if name == "cursorSnapshots" { configuration.limits.heldSnapshots = 2 }
            if name == "cursorBytes" { configuration.limits.heldBytes = 1_500 }
            if name == "cursorSeconds" { configuration.limits.heldSeconds = 10 }
        }
        let first = await cursor(fixture)
        #expect(await fixture.send("GET", Self.mix + "?limit=1&cursor=\(first)").status == 200)
        if name == "cursorSeconds" { fixture.clock.advance(by: 10) }
        for _ in 0..<2 { _ = await cursor(fixture) }
        #expect(await fixture.send("GET", Self.mix + "?limit=1&cursor=\(first)").code == "cursor-gone")
    }
}
