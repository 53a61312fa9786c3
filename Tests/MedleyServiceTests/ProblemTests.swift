import HTTPCore
import Journal
import MedleyService
import Testing

/// Every problem of the protocol that this service can meet, each by a request; none changes anything.
@Suite struct ProblemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let code: String
        let status: Int
        let method: String
        let target: String
        var headers: [(String, String)] = []
        var json: String?
        var pointer: String?
        var offset: Int?

        var testDescription: String { "\(code): \(method) \(target) \(json ?? "")" }

        init(
            _ status: Int, _ code: String, _ method: String, _ target: String, _ headers: [(String, String)] = [],
            json: String? = nil, pointer: String? = nil, offset: Int? = nil
        ) {
            self.code = code
            self.status = status
            self.method = method
            self.target = target
            self.headers = headers
            self.json = json
            self.pointer = pointer
            self.offset = offset
        }

        /// A PATCH of `mix` by one change.
        static func patch(_ status: Int, _ code: String, _ change: String, _ pointer: String?) -> Case {
            Case(status, code, "PATCH", mix, json: #"{"changes":[\#(change)]}"#, pointer: pointer)
        }
    }

    static let mix = "/v1/collections/mix"

    static let requests: [Case] = [
        Case(400, "malformed-json", "PATCH", mix, json: #"{"changes":[}"#, offset: 12),
        Case(400, "malformed-json", "PATCH", mix, json: #"{"changes":[],"changes":[]}"#, offset: 14),
        Case(400, "malformed-json", "PATCH", mix, json: "", offset: 0),
        Case(400, "malformed-json", "PATCH", mix, offset: 0),
        Case(400, "malformed-json", "PUT", mix, json: "{} x", offset: 3),
        Case(400, "malformed-json", "PATCH", mix + "/items/v1", json: "\u{FEFF}{}", offset: 0),
        Case(400, "invalid-change", "PATCH", mix, json: "[]", pointer: ""),
        Case(400, "invalid-change", "PATCH", mix, json: "{}"),
        Case(400, "invalid-change", "PATCH", mix + "/items/v1", json: "[]"),
        Case(400, "invalid-change", "PUT", mix, json: "[]"),
        .patch(400, "invalid-change", #"{"op":"lke","ids":["v1"]}"#, "/changes/0/op"),
        .patch(400, "invalid-change", #"{"op":"like","ids":["v1"],"sett":1}"#, "/changes/0/sett"),
        .patch(400, "invalid-change", #"{"op":"move","ids":["v1"]}"#, "/changes/0"),
        .patch(400, "invalid-change", #"{"op":"move","ids":["v1"],"after":"v2","before":"v3"}"#, "/changes/0/before"),
        Case(400, "invalid-revision", "PATCH", mix, json: #"{"base":"x","changes":[]}"#, pointer: "/base"),
        Case(400, "invalid-revision", "GET", mix + "/changes?since=abc"),
        Case(400, "invalid-revision", "GET", mix + "/changes?since="),
        Case(400, "invalid-query", "GET", mix + "/changes?since=a-1&since=a-1"),
        Case(400, "invalid-query", "GET", mix + "/changes?sinse=a-1"),
        Case(400, "invalid-query", "GET", mix + "/changes?wait=x"),
        Case(400, "invalid-query", "GET", mix + "/changes?reset=yes"),
        Case(400, "invalid-query", "GET", mix + "?models=some"),
        Case(400, "invalid-query", "GET", mix + "?liked=1"),
        Case(400, "invalid-query", "GET", mix + "?limit=0"),
        Case(400, "invalid-query", "GET", mix + "?limit=-1"),
        Case(400, "invalid-query", "GET", mix + "?limit="),
        Case(400, "invalid-query", "GET", mix + "?section="),
        Case(400, "invalid-query", "GET", mix + "?type=music,"),
        Case(400, "invalid-query", "GET", mix + "?type=%zz"),
        Case(400, "invalid-query", "GET", mix + "?cursor=abc&limit=1"),
        Case(400, "invalid-query", "GET", mix + "?cursor=00ff&limit=1"),
        Case(400, "invalid-query", "GET", mix + "/items?ids=v1,v1"),
        Case(400, "invalid-query", "GET", "/v1?x"),
        Case(400, "invalid-query", "PATCH", mix + "?since=a-1", json: #"{"changes":[]}"#),
        Case(400, "malformed-request", "GET", "/v1/collections/%E9"),
        Case(400, "malformed-request", "GET", "/v1/%zz"),
        Case(400, "malformed-request", "PATCH", mix, [("If-Match", "lineage1-1")], json: #"{"changes":[]}"#),
        Case(400, "malformed-request", "PATCH", mix, [("Idempotency-Key", "")], json: #"{"changes":[]}"#),
        Case(400, "malformed-request", "PATCH", mix, [("Idempotency-Key", "a b")], json: #"{"changes":[]}"#),
        Case(400, "malformed-request", "PATCH", mix, [("Idempotency-Key", "é")], json: #"{"changes":[]}"#),
        Case(
            400, "malformed-request", "PATCH", mix, [("Idempotency-Key", String(repeating: "k", count: 256))],
            json: #"{"changes":[]}"#),
        Case(
            400, "malformed-request", "PATCH", mix, [("Idempotency-Key", "a"), ("Idempotency-Key", "a")],
            json: #"{"changes":[]}"#),
        Case(404, "collection-not-found", "GET", "/v1/collections/none"),
        Case(404, "collection-not-found", "GET", "/v1/collections/.mix"),
        Case(404, "collection-not-found", "GET", "/v1/collections/mix%2F/changes"),
        Case(404, "collection-not-found", "PATCH", "/v1/collections/none", json: #"{"changes":[]}"#),
        Case(404, "collection-not-found", "DELETE", "/v1/collections/none"),
        Case(404, "collection-not-found", "GET", "/v1/collections/none/changes"),
        Case(404, "collection-not-found", "GET", "/v1/collections/none/items"),
        Case(404, "collection-not-found", "GET", "/v1/collections/none/items/v1"),
        Case(404, "collection-not-found", "GET", "/v1/collections/none/stores"),
        Case(404, "collection-not-found", "PATCH", "/v1/collections/none/items/v1", json: "{}"),
        Case(404, "item-not-found", "GET", mix + "/items/v9"),
        Case(404, "item-not-found", "PATCH", mix + "/items/v9", json: #"{"liked":true}"#),
        Case(404, "item-not-found", "DELETE", mix + "/items/v9"),
        .patch(404, "item-not-found", #"{"op":"delete","ids":["v1","v9"]}"#, "/changes/0/ids/1"),
        .patch(404, "item-not-found", #"{"op":"move","ids":["v1"],"after":"v9"}"#, "/changes/0/after"),
        .patch(404, "section-not-found", #"{"op":"deleteSection","ids":["none"]}"#, "/changes/0/ids/0"),
        .patch(404, "section-not-found", #"{"op":"reorder","section":"none","ids":[]}"#, "/changes/0/section"),
        Case(404, "type-not-found", "GET", mix + "/stores/podcast"),
        Case(404, "type-not-found", "GET", mix + "/stores/Podcast!"),
        Case(404, "not-found", "GET", "/v2"),
        Case(404, "not-found", "GET", "/v1/"),
        Case(404, "not-found", "GET", mix + "/"),
        Case(404, "not-found", "GET", "/v1//collections"),
        Case(404, "not-found", "GET", mix + "/items/"),
        Case(404, "not-found", "POST", mix + "/nothing"),
        Case(404, "not-found", "OPTIONS", "/nothing"),
        Case(405, "method-not-allowed", "POST", mix, json: "{}"),
        Case(405, "method-not-allowed", "DELETE", "/v1"),
        Case(405, "method-not-allowed", "get", "/v1"),
        Case(405, "method-not-allowed", "TRACE", "/"),
        Case(406, "not-acceptable", "GET", mix, [("Accept", "text/html")]),
        Case(406, "not-acceptable", "GET", mix, [("Accept", "application/json;q=0, image/*")]),
        Case(406, "not-acceptable", "GET", mix + "/items", [("Accept", "text/csv")]),
        Case(400, "invalid-query", "GET", mix + "?format=atom"),
        Case(400, "invalid-query", "GET", mix + "?format="),
        Case(400, "invalid-query", "GET", mix + "?format=M3U"),
        Case(400, "invalid-query", "GET", mix + "?format=csv&limit=5"),
        Case(400, "invalid-query", "GET", mix + "?format=csv&cursor=x"),
        Case(400, "invalid-query", "GET", mix + "?format=csv&models=none"),
        Case(400, "invalid-query", "GET", mix + "?limit=5", [("Accept", "text/csv")]),
        Case(400, "invalid-query", "GET", mix + "?format=csv&liked=maybe"),
        Case(400, "invalid-query", "GET", mix + "/items?format=csv"),
        Case(406, "not-acceptable", "PATCH", mix, [("Accept", "image/png")], json: Self.like),
        .patch(409, "item-exists", #"{"op":"insert","items":[{"id":"v1","type":"video"}]}"#, "/changes/0/items/0/id"),
        .patch(
            409, "section-exists", #"{"op":"insertSection","sections":[{"id":"music"}]}"#, "/changes/0/sections/0/id"),
        Case(
            409, "no-section", "PATCH", mix,
            json: #"{"changes":[{"op":"deleteAll"},{"op":"insert","items":[{"type":"video"}]}]}"#),
        Case(410, "revision-unknown", "GET", mix + "/changes?since=lineage1-9"),
        Case(410, "lineage-changed", "GET", mix + "/changes?since=other-1"),
        Case(410, "revision-unknown", "PATCH", mix, json: #"{"base":"lineage1-9","changes":[\#(likeChange)]}"#),
        Case(410, "lineage-changed", "PATCH", mix, json: #"{"base":"other-1","changes":[\#(likeChange)]}"#),
        Case(412, "revision-stale", "PATCH", mix, [("If-Match", #""lineage1-9""#)], json: like),
        Case(412, "revision-stale", "PATCH", mix, json: #"{"ifRevision":"lineage1-9","changes":[\#(likeChange)]}"#),
        Case(412, "revision-stale", "PUT", mix, [("If-None-Match", "*")], json: "{}"),
        Case(412, "revision-stale", "PUT", "/v1/collections/new", [("If-Match", "*")], json: "{}"),
        Case(412, "revision-stale", "DELETE", mix, [("If-Match", #""lineage1-9""#)]),
        Case(412, "revision-stale", "DELETE", mix + "/items/v1", [("If-Match", #""lineage1-9""#)]),
        Case(412, "revision-stale", "PATCH", mix + "/items/v1", [("If-Match", #"W/"lineage1-1""#)], json: "{}"),
        Case(415, "unsupported-media-type", "PATCH", mix, [("Content-Type", "text/plain")], json: like),
        Case(
            415, "unsupported-media-type", "PATCH", mix, [("Content-Type", "application/x-www-form-urlencoded")],
            json: like),
        Case(
            415, "unsupported-media-type", "PATCH", mix, [("Content-Type", "application/merge-patch+json")], json: "{}"),
        Case(
            415, "unsupported-media-type", "PUT", mix, [("Content-Type", "application/json;charset=latin1")], json: "{}"
        ),
        Case(
            415, "unsupported-media-type", "PUT", mix,
            [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], json: "{}"),
        Case(422, "invalid-id", "PUT", "/v1/collections/-x", json: "{}"),
        Case(422, "invalid-id", "PUT", "/v1/collections/a%2Fb", json: "{}"),
        Case(422, "invalid-id", "PUT", "/v1/collections/\(String(repeating: "a", count: 129))", json: "{}"),
        Case(422, "invalid-id", "PUT", mix, json: #"{"id":"other"}"#, pointer: "/id"),
        .patch(422, "duplicate-id", #"{"op":"like","ids":["v1","v1"]}"#, "/changes/0/ids/1"),
        Case(
            422, "duplicate-id", "PUT", mix,
            json: #"{"sections":[{"id":"a","items":[{"id":"x","type":"b"},{"id":"x","type":"c"}]}]}"#,
            pointer: "/sections/0/items/1/id"),
        .patch(422, "anchor-in-list", #"{"op":"move","ids":["v1","v2"],"after":"v2"}"#, "/changes/0/after"),
        .patch(
            422, "wrong-section", #"{"op":"move","ids":["v1"],"section":"music","after":"v2"}"#, "/changes/0/section"),
        .patch(422, "not-a-permutation", #"{"op":"reorder","section":"music","ids":["m1"]}"#, "/changes/0/ids"),
        .patch(
            422, "invalid-item", #"{"op":"update","items":[{"id":"v1","type":"music"}]}"#, "/changes/0/items/0/type"),
        .patch(
            422, "invalid-item", #"{"op":"insert","items":[{"id":"x","type":"video","title":7}]}"#,
            "/changes/0/items/0/title"),
        .patch(422, "invalid-item", #"{"op":"merge","ids":["v1"],"set":{"id":"v2"}}"#, "/changes/0/set/id"),
        Case(
            422, "invalid-document", "POST", mix + "/import", [("Content-Type", "application/rss+xml")],
            json: "<rss><channel>"),
        Case(422, "invalid-id", "POST", "/v1/collections/-x/import", json: "[]"),
        Case(422, "invalid-item", "PATCH", mix + "/items/v1", json: #"{"type":"music"}"#, pointer: "/type"),
        Case(422, "invalid-item", "PATCH", mix + "/items/v1", json: #"{"url":"x"}"#, pointer: "/url"),
        Case(
            422, "invalid-item", "PUT", mix,
            json: #"{"sections":[{"id":"a","items":[{"id":"v1","type":"music"}]}]}"#,
            pointer: "/sections/0/items/0/type"),
    ]

    static let likeChange = #"{"op":"like","ids":["v2"]}"#
    static let like = #"{"changes":[\#(likeChange)]}"#

    @Test(arguments: requests)
    func eachProblemHasItsRequestAndChangesNothing(_ test: Case) async throws {
        let fixture = await ServiceFixture.withMix()
        let before = await fixture.state
        let received = await fixture.send(test.method, test.target, test.headers, json: test.json)
        #expect(received.status == test.status)
        #expect(received.code == test.code, "\(received.text)")
        if let pointer = test.pointer { #expect(received.object["pointer"] as? String == pointer) }
        #expect(received.object["offset"] as? Int == test.offset)
        #expect(await fixture.state == before)
        #expect(before.count == 1)
        switch test.status {
        case 405: #expect(received.headers["Allow"]?.contains("OPTIONS") == true)
        case 410:
            #expect(received.headers["Cache-Control"] == "no-store")
            #expect(received.object["current"] as? String == fixture.revision)
        case 415:
            #expect((received.object["detail"] as? String)?.isEmpty == false)
        default: break
        }
    }

    @Test func aWrongTypeIsToldWhatToSend() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send(
            "PATCH", Self.mix, [("Content-Type", "application/x-www-form-urlencoded")], json: Self.like)
        #expect(received.headers["Accept-Patch"] == "application/json")
        #expect((received.object["detail"] as? String)?.contains("curl --json") == true)
        let item = await fixture.send("PATCH", Self.mix + "/items/v1", [("Content-Type", "text/plain")], json: "{}")
        #expect(item.headers["Accept-Patch"] == "application/merge-patch+json, application/json")
    }

    @Test func oneChangeThatFailsUndoesTheOthers() async {
        let fixture = await ServiceFixture.withMix()
        let before = await fixture.state
        let received = await fixture.send(
            "PATCH", Self.mix,
            json: #"{"changes":[{"op":"deleteAll"},{"op":"insertSection","sections":[{"id":"a/b~c"}]},"#
                + #"{"op":"delete","ids":["v1"]}]}"#)
        #expect(received.code == "item-not-found")
        #expect(received.object["pointer"] as? String == "/changes/2/ids/0")
        #expect(await fixture.state == before)
    }

    @Test func aRevisionOlderThanTheKeptDeletionsIsGone() async {
        var limits = Committer.Limits()
        limits.keptDeletions = 0
        let fixture = await ServiceFixture.withMix(commits: limits)
        let first = fixture.revision
        _ = await fixture.send("DELETE", Self.mix + "/items/v1")
        let changes = await fixture.send("GET", Self.mix + "/changes?since=\(first)")
        #expect(changes.code == "revision-gone")
        #expect(changes.object["current"] as? String == fixture.revision)
        #expect(changes.headers["Cache-Control"] == "no-store")
        let before = await fixture.state
        let patch = await fixture.send(
            "PATCH", Self.mix, json: #"{"base":"\#(first)","changes":[\#(Self.likeChange)]}"#)
        #expect(patch.code == "revision-gone")
        #expect(await fixture.state == before)
    }

    @Test func aStoreThatFailsChangesNothing() async {
        let fails = Switch()
        let fixture = await ServiceFixture.withMix(journal: FailingJournal(fails: fails))
        let before = await fixture.state
        fails.set(true)
        let received = await fixture.send("PATCH", Self.mix, json: Self.like)
        #expect((received.status, received.code) == (503, "storage-failed"))
        #expect(received.headers["Retry-After"] == "1")
        #expect(await fixture.state == before)
        fails.set(false)
        #expect(await fixture.send("PATCH", Self.mix, json: Self.like).status == 200)
    }

    @Test func tooManyEditsAreRefused() async {
        var limits = Committer.Limits()
        limits.waitingEdits = 0
        let fixture = ServiceFixture(commits: limits)
        let received = await fixture.send("PUT", Self.mix, json: "{}")
        #expect((received.status, received.code) == (503, "overloaded"))
        #expect(received.headers["Retry-After"] != nil)
        #expect(fixture.library.all().isEmpty)
    }

    @Test func aServiceThatStopsRefusesEditsAndStillReads() async {
        let stops = Switch()
        let fixture = await ServiceFixture.withMix { configuration in
            configuration.readiness = { stops.isOn ? .shuttingDown : .ready }
        }
        #expect(await fixture.send("GET", "/readyz").status == 200)
        stops.set(true)
        fixture.committer.close()
        let received = await fixture.send("PATCH", Self.mix, json: Self.like)
        #expect((received.status, received.code) == (503, "shutting-down"))
        let ready = await fixture.send("GET", "/readyz")
        #expect((ready.status, ready.code) == (503, "shutting-down"))
        #expect(ready.headers["Retry-After"] != nil)
        #expect(await fixture.send("GET", "/healthz").status == 200)
        #expect(await fixture.send("GET", Self.mix).status == 200)
    }

    @Test(arguments: [
        (400, "malformed-request"), (408, "request-timeout"), (413, "content-too-large"), (414, "uri-too-long"),
        (417, "expectation-failed"), (431, "request-header-fields-too-large"), (501, "not-implemented"),
        (503, "overloaded"), (505, "http-version-not-supported"),
    ])
    func whatTheServerRefusesIsAProblemToo(status: Int, code: String) {
        let fixture = ServiceFixture()
        let received = Received(fixture.service.response(to: Refusal(status: status, detail: "Why.", limit: 7)))
        #expect((received.status, received.code) == (status, code))
        #expect(received.object["limit"] as? Int == 7)
        #expect(received.object["detail"] as? String == "Why.")
    }
}
