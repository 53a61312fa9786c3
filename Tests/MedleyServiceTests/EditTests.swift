import Dispatch
import HTTPCore
import Journal
import MedleyCore
import MedleyService
import Testing

@Suite struct EditTests {
    static let mix = "/v1/collections/mix"

    @Test func puttingACollectionThatIsNotThereCreatesIt() async {
        let fixture = ServiceFixture()
        let received = await fixture.send(
            "PUT", Self.mix,
            json: #"{"id":"mix","title":"Mix","revision":7,"counts":null,"types":[],"#
                + #""sections":[{"id":"a","items":[{"type":"music","n":1.10}]}]}"#)
        #expect(received.status == 201)
        #expect(received.headers["Location"] == Self.mix)
        #expect(received.headers["Revision"] == "lineage1-1")
        #expect(received.headers["Content-Type"] == "application/json")
        #expect(
            received.text == """
                {"from":null,"to":"lineage1-1","reset":true,"changes":[\
                {"op":"insertSection","sections":[{"id":"a","title":""}],"after":null},\
                {"op":"insert","items":[{"id":"made-1","type":"music","liked":false,"n":1.10}],"section":"a",\
                "after":null},\
                {"op":"updateCollection","set":{"title":"Mix"}}]}
                """)
    }

    @Test func puttingItAgainChangesWhatDiffers() async {
        let fixture = await ServiceFixture.withMix()
        let same = await fixture.send("PUT", Self.mix, json: ServiceFixture.mix)
        #expect(same.status == 200)
        #expect(same.text == #"{"from":"lineage1-1","to":"lineage1-1","changes":[]}"#)
        let asAnswered = await fixture.send("PUT", Self.mix, json: fixture.send("GET", Self.mix).text)
        #expect(asAnswered.text == same.text)
        let other = await fixture.send(
            "PUT", Self.mix, json: ServiceFixture.mix.replacing("Slow ferry", with: "Fast ferry"))
        #expect(other.status == 200)
        #expect(other.headers["Location"] == nil)
        #expect(
            other.text == """
                {"from":"lineage1-1","to":"lineage1-2","changes":[{"op":"update","items":[\
                {"id":"m1","type":"music","liked":false,"title":"Fast ferry"}]}]}
                """)
    }

    @Test func aDeletedCollectionComesBackWithAnotherLineage() async {
        let fixture = await ServiceFixture.withMix()
        let deleted = await fixture.send("DELETE", Self.mix)
        #expect(deleted.status == 204)
        #expect(deleted.body.isEmpty)
        #expect(await fixture.send("GET", "\(Self.mix)/changes?since=lineage1-1").code == "collection-not-found")
        #expect(await fixture.send("DELETE", Self.mix).status == 404)
        #expect(await fixture.send("PUT", Self.mix, json: "{}").status == 201)
        #expect(await fixture.send("GET", "\(Self.mix)/changes?since=lineage1-1").code == "lineage-changed")
    }

    @Test func aPatchIsAnsweredByTheWritersOwnDiff() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send(
            "PATCH", Self.mix,
            json: #"{"changes":[{"op":"toggleLike","ids":["v1"]},{"op":"move","ids":["v3"],"after":null},"#
                + #"{"op":"delete","ids":["m1"]}]}"#)
        #expect(received.status == 200)
        #expect(received.headers["ETag"] == #""lineage1-2""#)
        #expect(received.headers["Revision"] == "lineage1-2")
        #expect(
            received.text == """
                {"from":"lineage1-1","to":"lineage1-2","changes":[{"op":"delete","ids":["m1"]},\
                {"op":"move","ids":["v3"],"section":"video","after":null},\
                {"op":"update","items":[{"id":"v1","type":"video","liked":false,"title":"Tide tables"}]}]}
                """)
        let since = await fixture.send("GET", "\(Self.mix)/changes?since=lineage1-1")
        #expect(since.text == received.text)
    }

    @Test func baseAsksForTheChangesSinceWhatTheClientHolds() async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PATCH", Self.mix, json: #"{"changes":[{"op":"like","ids":["v2"]}]}"#)
        let received = await fixture.send(
            "PATCH", Self.mix, json: #"{"base":"lineage1-1","changes":[{"op":"delete","ids":["v3"]}]}"#)
        #expect(
            received.text == """
                {"from":"lineage1-1","to":"lineage1-3","changes":[{"op":"delete","ids":["v3"]},\
                {"op":"update","items":[{"id":"v2","type":"video","liked":true,"title":"Locks and weirs",\
                "size":9007199254740993}]}]}
                """)
        let nothing = await fixture.send("PATCH", Self.mix, json: #"{"base":"lineage1-2","changes":[]}"#)
        #expect(
            nothing.text == #"{"from":"lineage1-2","to":"lineage1-3","changes":[{"op":"delete","ids":["v3"]}]}"#)
        #expect(fixture.revision == "lineage1-3")
    }

    @Test(arguments: [
        #"{"changes":[]}"#, #"{"changes":[{"op":"like","ids":["v1"]}]}"#,
        #"{"changes":[{"op":"move","ids":["v2"],"after":"v1"}]}"#,
        #"{"changes":[{"op":"like","ids":["v2"]},{"op":"unlike","ids":["v2"]}]}"#,
        #"{"changes":[{"op":"delete","ids":["gone"],"ifMissing":"ignore"}]}"#,
    ])
    func whatHasNoEffectMakesNoRevision(json: String) async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("PATCH", Self.mix, json: json)
        #expect(received.text == #"{"from":"lineage1-1","to":"lineage1-1","changes":[]}"#)
        #expect(fixture.revision == "lineage1-1")
        #expect(fixture.committer.statistics.committedEdits == 1)
    }

    @Test func aMinimalAnswerLeavesTheChangesOut() async {
        let fixture = ServiceFixture()
        let minimal = [("Prefer", "respond-async, return=minimal")]
        let created = await fixture.send("PUT", Self.mix, minimal, json: ServiceFixture.mix)
        #expect(created.text == #"{"from":null,"to":"lineage1-1","reset":true}"#)
        #expect(created.headers["Preference-Applied"] == "return=minimal")
        for (method, target, json) in [
            ("PATCH", Self.mix, #"{"changes":[{"op":"like","ids":["v2"]}]}"#),
            ("PATCH", "\(Self.mix)/items/v2", #"{"liked":false}"#), ("DELETE", "\(Self.mix)/items/v2", nil),
            ("PUT", Self.mix, "{}"),
        ] {
            let before = fixture.revision
            let received = await fixture.send(method, target, minimal, json: json)
            #expect(received.text == #"{"from":"\#(before)","to":"\#(fixture.revision)"}"#)
            #expect(received.headers["Preference-Applied"] == "return=minimal")
        }
    }

    @Test func anItemIsPatchedAndDeletedByItself() async {
        let fixture = await ServiceFixture.withMix()
        for type in ["application/json", "application/merge-patch+json", "Application/JSON; charset=UTF-8"] {
            let received = await fixture.send(
                "PATCH", "\(Self.mix)/items/v2", [("Content-Type", type)],
                json: #"{"liked":true,"size":null,"title":"\#(type)","id":"v2","type":"video"}"#)
            #expect(received.status == 200)
            let item = await fixture.send("GET", "\(Self.mix)/items/v2")
            #expect(item.text == #"{"id":"v2","type":"video","liked":true,"title":"\#(type)"}"#)
        }
        let deleted = await fixture.send("DELETE", "\(Self.mix)/items/v2")
        #expect(deleted.text == #"{"from":"lineage1-4","to":"lineage1-5","changes":[{"op":"delete","ids":["v2"]}]}"#)
        #expect(await fixture.send("GET", "\(Self.mix)/items/v2").code == "item-not-found")
    }

    @Test func changesLongerThanTheSnapshotAreAReset() async throws {
        let fixture = await LargeCollection.fixture()
        let target = "/v1/collections/large"
        // Nearly all is deleted, so the ids of what went are longer than what is left.
        _ = await fixture.send(
            "PATCH", target, json: #"{"changes":[{"op":"deleteSection","ids":["s0","s4"]}]}"#)
        let changes = await fixture.send("GET", "\(target)/changes?since=lineage1-1")
        #expect(changes.object["reset"] as? Bool == true)
        #expect(changes.object["from"] is String == false)
        #expect(changes.object["to"] as? String == "lineage1-2")
        let patch = await fixture.send("PATCH", target, json: #"{"base":"lineage1-1","changes":[]}"#)
        #expect(patch.body == changes.body)
        let stale = await fixture.send(
            "PATCH", target, [("If-Match", #""lineage1-1""#)], json: #"{"changes":[]}"#)
        #expect(stale.object["reset"] as? Bool == true)
        // A list of at most 1 KiB is sent whatever the snapshot's length.
        _ = await fixture.send("PATCH", target, json: #"{"changes":[{"op":"deleteAll"}]}"#)
        let small = await fixture.send("GET", "\(target)/changes?since=lineage1-2")
        #expect(small.object["reset"] == nil)
        #expect(small.text.hasPrefix(#"{"from":"lineage1-2","to":"lineage1-3","changes":[{"op":"delete""#))
    }

    @Test func anEditWithoutBaseTellsAllItsChanges() async {
        let fixture = await LargeCollection.fixture()
        let received = await fixture.send(
            "PATCH", "/v1/collections/large", json: #"{"changes":[{"op":"deleteAll"}]}"#)
        #expect(received.object["reset"] == nil)
        #expect(received.object["from"] as? String == "lineage1-1")
        #expect(received.body.count > 10_000)
    }

    @Test func longAnswersToEditsAreGzipped() async throws {
        let fixture = await LargeCollection.fixture()
        let received = await fixture.send(
            "PATCH", "/v1/collections/large", [("Accept-Encoding", "gzip")],
            json: #"{"changes":[{"op":"deleteAll"}]}"#)
        #expect(received.headers["Content-Encoding"] == "gzip")
        let plain = await fixture.send("GET", "/v1/collections/large/changes?since=lineage1-1&reset=inline")
        #expect(plain.object["reset"] as? Bool == true)
        #expect(try GzipTool.inflate(received.body).count > 10_000)
    }

    @Test func aLargeBodyIsDecodedOnAnotherThread() async {
        let fixture = await LargeCollection.fixture()
        #expect(LargeCollection.json.utf8.count > 64 << 10)
        let again = await fixture.send("PUT", "/v1/collections/large", json: LargeCollection.json)
        #expect(again.text == #"{"from":"lineage1-1","to":"lineage1-1","changes":[]}"#)
        let broken = await fixture.send("PUT", "/v1/collections/large", json: LargeCollection.json + "]")
        #expect(broken.object["offset"] as? Int == LargeCollection.json.utf8.count)
    }

    @Test func theBytesOfEditsUnderWayAreBounded() async {
        let journal = GatedJournal()
        let fixture = ServiceFixture(journal: journal) { $0.limits.editBytes = 100 }
        let (small, large) = (#"{"title":"A"}"#, #"{"title":"\#(String(repeating: "long ", count: 40))"}"#)
        // One that is longer than the limit is taken while there is no other.
        #expect(await fixture.send("PUT", "/v1/collections/a", json: large).status == 201)
        #expect(await fixture.send("PUT", "/v1/collections/b", json: large + "]").status == 400)

        journal.shut()
        async let first = fixture.send("PUT", "/v1/collections/b", json: small)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                journal.hasBegun.wait()
                continuation.resume()
            }
        }
        let refused = await fixture.send("PUT", "/v1/collections/c", json: large)
        #expect((refused.status, refused.code) == (503, "overloaded"))
        #expect(refused.headers["Retry-After"] != nil)
        async let second = fixture.send("PUT", "/v1/collections/d", json: small)
        journal.gate.signal()
        #expect(await first.status == 201)
        #expect(await second.status == 201)
        #expect(await fixture.send("PUT", "/v1/collections/c", json: large).status == 201)
    }

    @Test func tooManyLargeBodiesAreRefused() async {
        let fixture = ServiceFixture { $0.limits.waitingBodies = 0 }
        let received = await fixture.send("PUT", "/v1/collections/large", json: LargeCollection.json)
        #expect((received.status, received.code) == (503, "overloaded"))
        #expect(fixture.library.all().isEmpty)
    }
}
