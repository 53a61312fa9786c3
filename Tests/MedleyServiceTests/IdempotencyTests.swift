import Dispatch
import HTTPCore
import Journal
import MedleyService
import Testing

@Suite struct IdempotencyTests {
    static let mix = "/v1/collections/mix"
    static let key = [("Idempotency-Key", "6f1c1c0e~!")]
    static let toggle = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#

    @Test func aRepeatedEditIsCarriedOutOnce() async {
        let fixture = await ServiceFixture.withMix()
        let first = await fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        #expect(first.headers["Idempotency-Replayed"] == nil)
        _ = await fixture.send("DELETE", "\(Self.mix)/items/v1")
        // The key is looked at before any precondition, and before what is there.
        let again = await fixture.send(
            "PATCH", Self.mix, Self.key + [("If-Match", #""lineage1-1""#)], json: Self.toggle)
        #expect(again.status == 200)
        #expect(again.body == first.body)
        #expect(again.headers["Revision"] == "lineage1-2")
        #expect(again.headers["Idempotency-Replayed"] == "true")
        #expect(fixture.revision == "lineage1-3")
    }

    @Test func everyEditTakesAKey() async {
        for (method, target, json) in [
            ("PUT", "/v1/collections/new", "{}"), ("PATCH", "\(Self.mix)/items/v1", #"{"n":1}"#),
            ("DELETE", "\(Self.mix)/items/v1", nil), ("DELETE", Self.mix, nil), ("PATCH", Self.mix, #"{"changes":[]}"#),
        ] {
            let fixture = await ServiceFixture.withMix()
            let first = await fixture.send(method, target, Self.key, json: json)
            #expect((200..<300).contains(first.status))
            let again = await fixture.send(method, target, Self.key, json: json)
            #expect((again.status, again.body) == (first.status, first.body))
            #expect(again.headers["Idempotency-Replayed"] == "true")
        }
    }

    @Test func anotherRequestUnderTheKeyIsRefused() async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        let before = await fixture.state
        for (method, target, json) in [
            ("PATCH", Self.mix, #"{"changes":[{"op":"toggleLike","ids":["v2"]}]}"#), ("PUT", Self.mix, Self.toggle),
            ("DELETE", "\(Self.mix)/items/v1", nil), ("DELETE", Self.mix, nil),
        ] {
            let received = await fixture.send(method, target, Self.key, json: json)
            #expect((received.status, received.code) == (422, "key-reused"), "\(method) \(target)")
        }
        #expect(await fixture.state == before)
    }

    @Test func keysOfDifferentCollectionsAreApart() async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PUT", "/v1/collections/other", json: ServiceFixture.mix)
        for collection in ["mix", "other"] {
            let received = await fixture.send(
                "PATCH", "/v1/collections/\(collection)", Self.key, json: Self.toggle)
            #expect(received.headers["Idempotency-Replayed"] == nil)
            #expect(received.status == 200)
        }
    }

    @Test func whatWasRefusedMayBeTriedAgain() async {
        let fixture = await ServiceFixture.withMix()
        let refused = await fixture.send(
            "PATCH", Self.mix, Self.key + [("If-Match", #""lineage1-9""#)], json: Self.toggle)
        #expect(refused.status == 412)
        let taken = await fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        #expect(taken.status == 200)
        #expect(taken.headers["Idempotency-Replayed"] == nil)
    }

    @Test func aKeyWhoseFirstRequestIsUnderWayIsInUse() async {
        let journal = GatedJournal()
        let fixture = await ServiceFixture.withMix(journal: journal)
        journal.shut()
        async let first = fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        // The first is being kept; what is asked now cannot overtake it.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                journal.hasBegun.wait()
                continuation.resume()
            }
        }
        let second = await fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        #expect((second.status, second.code) == (409, "key-in-use"))
        // Nothing is seen before it is durable.
        #expect(await fixture.send("GET", Self.mix).headers["Revision"] == "lineage1-1")
        journal.gate.signal()
        #expect(await first.status == 200)
        let third = await fixture.send("PATCH", Self.mix, Self.key, json: Self.toggle)
        #expect(third.headers["Idempotency-Replayed"] == "true")
    }
}
