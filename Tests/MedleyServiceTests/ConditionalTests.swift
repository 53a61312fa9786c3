import HTTPCore
import Testing

@Suite struct ConditionalTests {
    static let mix = "/v1/collections/mix"
    static let like = #"{"changes":[{"op":"like","ids":["v2"]}]}"#

    @Test(arguments: [
        (#""lineage1-1""#, 304), (#"W/"lineage1-1""#, 304), ("*", 304), (#""lineage1-1;gzip""#, 304),
        (#""other-1", W/"lineage1-1""#, 304), (#""lineage1-2""#, 200), (#""lineage1-1;models=none""#, 200),
        (#""lineage1-11""#, 200), ("nonsense", 200),
    ])
    func aSnapshotThatTheClientHoldsIsNotSentAgain(tags: String, status: Int) async {
        let fixture = await ServiceFixture.withMix()
        for method in ["GET", "HEAD"] {
            let received = await fixture.send(method, Self.mix, [("If-None-Match", tags)])
            #expect(received.status == status)
            #expect(received.headers["Revision"] == "lineage1-1")
            #expect(received.headers["ETag"]?.hasPrefix(#""lineage1-1"#) == true)
            #expect(received.headers["Vary"] == "Accept, Accept-Encoding")
            #expect(received.headers["Cache-Control"] == "no-cache")
            if status == 304 {
                #expect(received.body.isEmpty)
                #expect(received.headers["Content-Type"] == nil)
            }
        }
    }

    @Test(arguments: [
        "", "?models=none", "?type=music", "?limit=2", "/items", "/items?ids=v1,v2", "/items/v1", "/stores",
        "/stores/music", "/changes", "/changes?since=lineage1-1", "/changes?since=x-1&reset=inline",
    ])
    func everyFormCanBeRevalidatedByItsOwnTag(form: String) async throws {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", Self.mix + form)
        #expect(received.status == 200)
        let tag = try #require(received.headers["ETag"])
        #expect(await fixture.send("GET", Self.mix + form, [("If-None-Match", tag)]).status == 304)
        #expect(await fixture.send("GET", Self.mix + form, [("If-None-Match", "W/\(tag)")]).status == 304)
        _ = await fixture.send("PATCH", Self.mix, json: Self.like)
        #expect(await fixture.send("GET", Self.mix + form, [("If-None-Match", tag)]).status == 200)
    }

    @Test func formsOfOneRevisionHaveDifferentTags() async {
        let fixture = await LargeCollection.fixture()
        var tags: [String] = []
        for form in ["", "?models=none", "?type=music", "?type=video", "?limit=2", "?section=s1&liked=true"] {
            for coding in ["identity", "gzip"] {
                let received = await fixture.send(
                    "GET", "/v1/collections/large\(form)", [("Accept-Encoding", coding)])
                tags.append(received.headers["ETag"] ?? "")
            }
        }
        // A page of two items is too short for gzip, and so is what has none.
        #expect(Set(tags).count == tags.count - 2)
        for tag in tags {
            #expect(tag.wholeMatch(of: /"lineage1-1(;[\x21\x23-\x7E]+)?"/) != nil)
        }
    }

    @Test func aLongQueryHasAShortTag() async {
        let fixture = await ServiceFixture.withMix()
        let ids = (0..<500).map { "id\($0)" }.joined(separator: ",")
        let received = await fixture.send("GET", "\(Self.mix)/items?ids=\(ids)")
        #expect((received.headers["ETag"]?.utf8.count ?? .max) < 60)
    }

    @Test func changesSinceTheCurrentRevisionMatchAnyFormOfIt() async {
        let fixture = await ServiceFixture.withMix()
        let target = "\(Self.mix)/changes?since=lineage1-1"
        #expect(await fixture.send("GET", target).status == 200)
        #expect(await fixture.send("GET", target, [("If-None-Match", #""lineage1-1""#)]).status == 304)
        _ = await fixture.send("PATCH", Self.mix, json: Self.like)
        #expect(await fixture.send("GET", target, [("If-None-Match", #""lineage1-1""#)]).status == 200)
        #expect(await fixture.send("GET", target, [("If-None-Match", #""lineage1-2""#)]).status == 200)
    }

    @Test(arguments: [
        (#""lineage1-1""#, 200), (#""lineage1-1;gzip""#, 200), (#""lineage1-1;models=none""#, 200),
        (#""lineage1-1;item""#, 200), (#""x-9", "lineage1-1""#, 200), ("*", 200),
        (#"W/"lineage1-1""#, 412), (#""lineage1-2""#, 412), (#""lineage1-11""#, 412), (#""x""#, 412),
        (#""lineage1""#, 412),
    ])
    func anEditMayNameTheRevisionThatItIsFor(tags: String, status: Int) async {
        for (method, target, json) in [
            ("PATCH", Self.mix, Self.like), ("PATCH", "\(Self.mix)/items/v1", #"{"liked":false}"#),
            ("DELETE", "\(Self.mix)/items/v1", nil), ("PUT", Self.mix, "{}"), ("DELETE", Self.mix, nil),
        ] {
            let fixture = await ServiceFixture.withMix()
            let received = await fixture.send(method, target, [("If-Match", tags)], json: json)
            let expected = status == 200 && method == "DELETE" && target == Self.mix ? 204 : status
            #expect(received.status == expected, "\(method) \(target)")
            #expect(received.code == (status == 412 ? "revision-stale" : nil))
        }
    }

    @Test func aStaleEditIsToldWhatItMissed() async throws {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PATCH", Self.mix, json: Self.like)
        let before = await fixture.state
        for (headers, json) in [
            ([("If-Match", #""lineage1-1;gzip""#)], #"{"changes":[{"op":"deleteAll"}]}"#),
            ([], #"{"ifRevision":"lineage1-1","changes":[{"op":"deleteAll"}]}"#),
        ] {
            let received = await fixture.send("PATCH", Self.mix, headers, json: json)
            #expect((received.status, received.code) == (412, "revision-stale"))
            #expect(received.object["current"] as? String == "lineage1-2")
            #expect(received.object["from"] as? String == "lineage1-1")
            #expect(received.object["to"] as? String == "lineage1-2")
            #expect(
                received.text.contains(
                    #""changes":[{"op":"update","items":[{"id":"v2","type":"video","liked":true,"title":"Locks and"#))
        }
        let unknown = await fixture.send("PATCH", Self.mix, [("If-Match", #""x-1""#)], json: Self.like)
        #expect(unknown.object["reset"] as? Bool == true)
        #expect(unknown.object["from"] is String == false)
        #expect((unknown.object["changes"] as? [Any])?.count == 4)
        let minimal = await fixture.send(
            "PATCH", Self.mix, [("If-Match", #""lineage1-1""#), ("Prefer", "return=minimal")], json: Self.like)
        #expect(minimal.status == 412)
        #expect(minimal.object["changes"] == nil)
        #expect(minimal.object["current"] as? String == "lineage1-2")
        #expect(await fixture.state == before)
    }

    @Test func createOnlyIsForCollectionsThatAreNotThere() async {
        let fixture = await ServiceFixture.withMix()
        let create = [("If-None-Match", "*")]
        #expect(await fixture.send("PUT", Self.mix, create, json: "{}").status == 412)
        #expect(await fixture.send("PUT", "/v1/collections/new", create, json: "{}").status == 201)
        #expect(await fixture.send("PUT", "/v1/collections/new", create, json: "{}").status == 412)
        #expect(await fixture.send("PUT", Self.mix, [("If-None-Match", #"W/"lineage1-1""#)], json: "{}").status == 412)
        #expect(await fixture.send("PUT", Self.mix, [("If-None-Match", #""lineage1-7""#)], json: "{}").status == 200)
    }
}
