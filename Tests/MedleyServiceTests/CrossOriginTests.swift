import HTTPCore
import MedleyService
import Testing

@Suite struct CrossOriginTests {
    static let mix = "/v1/collections/mix"
    static let origin = "https://player.example"

    @Test func aListedOriginMayReadAnswersAndProblems() async {
        let fixture = await ServiceFixture.withMix { $0.origins = .listed([Self.origin]) }
        for (target, method) in [(Self.mix, "GET"), ("/v1/collections/none", "GET"), ("/nothing", "GET")] {
            let received = await fixture.send(method, target, [("Origin", Self.origin)])
            #expect(received.headers["Access-Control-Allow-Origin"] == Self.origin)
            #expect(
                received.headers["Access-Control-Expose-Headers"]
                    == "ETag, Revision, Link, Retry-After, Idempotency-Replayed, X-Request-Id")
            #expect(received.headers["Vary"]?.hasSuffix("Origin") == true)
        }
        let notModified = await fixture.send(
            "GET", Self.mix, [("Origin", Self.origin), ("If-None-Match", #""lineage1-1""#)])
        #expect(notModified.status == 304)
        #expect(notModified.headers["Access-Control-Allow-Origin"] == Self.origin)
        #expect(notModified.headers.values("Vary") == ["Accept, Accept-Encoding, Origin"])
    }

    @Test(arguments: ["https://other.example", "null", "https://player.example:8443", nil])
    func anotherOriginMayNot(origin: String?) async {
        let fixture = await ServiceFixture.withMix { $0.origins = .listed([Self.origin]) }
        let received = await fixture.send("GET", Self.mix, origin.map { [("Origin", $0)] } ?? [])
        #expect(received.status == 200)
        #expect(received.headers["Access-Control-Allow-Origin"] == nil)
        #expect(received.headers["Vary"] == "Accept, Accept-Encoding, Origin")
    }

    @Test func withoutConfiguredOriginsNothingIsSaid() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send(
            "OPTIONS", Self.mix, [("Origin", Self.origin), ("Access-Control-Request-Method", "PUT")])
        #expect(received.status == 204)
        #expect(!received.headers.fields.contains { $0.name.hasPrefix("Access-Control") })
    }

    @Test func allOriginsCanBeAllowed() async {
        let fixture = await ServiceFixture.withMix { $0.origins = .all }
        let received = await fixture.send("GET", Self.mix, [("Origin", "https://any.example")])
        #expect(received.headers["Access-Control-Allow-Origin"] == "*")
        #expect(received.headers["Vary"] == "Accept, Accept-Encoding")
    }

    @Test func aPreflightIsAnsweredForADay() async {
        let fixture = await ServiceFixture.withMix { $0.origins = .listed([Self.origin]) }
        let received = await fixture.send(
            "OPTIONS", Self.mix,
            [
                ("Origin", Self.origin), ("Access-Control-Request-Method", "PATCH"),
                ("Access-Control-Request-Headers", "content-type,if-match"),
            ])
        #expect(received.status == 204)
        #expect(received.headers["Access-Control-Allow-Origin"] == Self.origin)
        #expect(received.headers["Access-Control-Max-Age"] == "86400")
        for method in ["PATCH", "PUT", "DELETE"] {
            #expect(received.headers["Access-Control-Allow-Methods"]?.contains(method) == true)
        }
        for name in [
            "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Prefer", "X-Request-Id",
        ] {
            #expect(received.headers["Access-Control-Allow-Headers"]?.contains(name) == true)
        }
        let other = await fixture.send(
            "OPTIONS", Self.mix, [("Origin", "https://x.example"), ("Access-Control-Request-Method", "PATCH")])
        #expect(other.headers["Access-Control-Allow-Methods"] == nil)
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
    }
}
