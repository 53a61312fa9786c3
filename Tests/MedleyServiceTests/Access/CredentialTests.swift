import Dispatch
import HTTPCore
import Journal
import MedleyService
import Testing

/// How it is shown who asks, and what follows from it.
@Suite struct CredentialTests {
    private static let mix = "/v1/collections/mix"

    @Test func theChallengeSaysWhatIsWanted() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let without = await fixture.send("GET", Self.mix)
        #expect((without.status, without.code) == (401, "unauthenticated"))
        #expect(without.headers["WWW-Authenticate"] == #"Bearer realm="medley""#)
        let wrong = await fixture.send("GET", Self.mix, [("Authorization", "Bearer wrong")])
        #expect((wrong.status, wrong.code) == (401, "unauthenticated"))
        #expect(wrong.headers["WWW-Authenticate"] == #"Bearer realm="medley", error="invalid_token""#)
    }

    @Test(arguments: ["Bearer ", "bearer ", "BEARER   "])
    func theSchemeIsReadAsHTTPHasIt(scheme: String) async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let token = try #require(kit.shows().first?.1.dropFirst("Bearer ".count))
        #expect(await fixture.send("GET", "/v1/collections", [("Authorization", scheme + token)]).status == 200)
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer x", "Bearer medley_aaaaaaaaaaaa_" + String(repeating: "a", count: 43),
    ])
    func aWrongTokenIsRefusedEvenWhereNoneIsNeeded(field: String) async throws {
        let kit = try TokenKit(.write, anonymous: .read)
        let fixture = ServiceFixture { $0.access = kit.access }
        #expect(await fixture.send("GET", "/v1/collections").status == 200)
        #expect(await fixture.send("GET", "/v1/collections", [("Authorization", field)]).status == 401)
        #expect(await fixture.send("GET", "/v1", [("Authorization", field)]).status == 401)
        #expect(await fixture.send("GET", "/healthz", [("Authorization", field)]).status == 200)
    }

    @Test func aTokenIsShownOnce() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        #expect(await fixture.send("GET", "/v1/collections", kit.shows() + kit.shows()).code == "malformed-request")
    }

    @Test func withoutTokensAnAuthorizationIsSomebodyElses() async {
        let fixture = await ServiceFixture.withMix()
        #expect(await fixture.send("GET", Self.mix, [("Authorization", "Bearer x")]).status == 200)
        #expect(await fixture.send("GET", Self.mix, [("Authorization", "Basic eA==")]).status == 200)
    }

    @Test func anotherSchemeShowsNothing() async throws {
        let kit = try TokenKit(.write, anonymous: .read)
        let fixture = ServiceFixture { $0.access = kit.access }
        #expect(await fixture.send("GET", "/v1/collections", [("Authorization", "Basic eA==")]).status == 200)
        #expect(await fixture.send("PATCH", Self.mix, [("Authorization", "Basic eA==")]).status == 401)
    }

    @Test func whatIsRefusedIsRefusedBeforeItsBody() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        for (fields, status) in [([], 401), (kit.shows(), 403)] {
            var head = ServiceFixture.request("PUT", Self.mix, fields + [("Content-Type", "application/json")]).head
            head.framing = .length(1_000_000)
            guard case .refuse(let response) = fixture.service.admit(head) else {
                Issue.record("admitted")
                return
            }
            #expect(response.status == status)
        }
    }

    @Test func permissionsAreTold() async throws {
        for (right, told) in [
            (Right.read, #"["read"]"#), (.write, #"["read","write"]"#), (.admin, #"["read","write","admin"]"#),
        ] {
            let kit = try TokenKit([("token", right, "a,b-*")])
            let fixture = ServiceFixture { $0.access = kit.access }
            let received = await fixture.send("GET", "/v1", kit.shows())
            #expect(received.text.hasSuffix(#""permissions":\#(told),"collections":["a","b-*"]}"#), "\(received.text)")
            #expect(await fixture.send("GET", "/v1").text.hasSuffix(#""permissions":[],"collections":[]}"#))
        }
    }

    @Test func idempotencyKeysOfDifferentCallersNeverMeet() async throws {
        let kit = try TokenKit([("a", .admin, "*"), ("b", .admin, "*")], anonymous: .write)
        let fixture = await ServiceFixture.withMix(showing: kit.shows("a")) { $0.access = kit.access }
        let key = [("Idempotency-Key", "k")]
        for who in [kit.shows("a"), kit.shows("b"), []] {
            let first = await fixture.send("PATCH", Self.mix, key + who, json: IdempotencyTests.toggle)
            #expect((first.status, first.headers["Idempotency-Replayed"]) == (200, nil))
            let again = await fixture.send("PATCH", Self.mix, key + who, json: IdempotencyTests.toggle)
            #expect(again.headers["Idempotency-Replayed"] == "true")
        }
        // A session has its token's.
        let session = try await OriginTests.signIn(fixture, kit, "a") + [("Sec-Fetch-Site", "same-origin")]
        let again = await fixture.send("PATCH", Self.mix, key + session, json: IdempotencyTests.toggle)
        #expect(again.headers["Idempotency-Replayed"] == "true")
    }

    @Test func whetherAPutCreatesIsDecidedWithTheCommitter() async throws {
        let kit = try TokenKit([("boss", .admin, "*"), ("writer", .write, "*")])
        let journal = GatedJournal()
        let fixture = await ServiceFixture.withMix(journal: journal, showing: kit.shows("boss")) {
            $0.access = kit.access
        }
        let served = try await SocketService(fixture)
        try Self.putBehindADeletion(served, journal, kit)
        #expect(fixture.library.snapshot(of: "mix") == nil)
    }

    private static func putBehindADeletion(_ served: SocketService, _ journal: GatedJournal, _ kit: TokenKit) throws {
        journal.shut()
        let (boss, writer) = (try served.connect(), try served.connect())
        try boss.send(served.text("DELETE", mix, kit.shows("boss")))
        journal.hasBegun.wait()
        // The collection is still there for all who look.
        #expect(try served.send("GET", mix, kit.shows("writer")).status == 200)
        try writer.send(served.text("PUT", mix, kit.shows("writer"), json: "{}"))
        until { served.fixture.committer.statistics.waiting > 0 }
        journal.gate.signal()
        #expect(try boss.receive().status == 204)
        let received = Received(try writer.receive())
        #expect((received.status, received.code) == (403, "forbidden"))
    }

    @Test(arguments: [
        "/v1/collections/%6Fther", "/v1/collections/other%2F", "/v1/collections/own/../other", "/v1/collections//other",
        "/v1/collections/./other", "/v1/collections/own%2F..%2Fother", "/v1/collections/%2e%2e/other",
        "/v1/collections/other%00", "/v1/collections/%EF%BD%8Fther", "/v1/collections/%C0%AFother",
        "/V1/collections/other",
        "/v1/collections/other/", "/v1/collections/other/items/a", "/v1/collections/other?collection=own",
    ])
    func noWayOfWritingAPathLeadsToAForeignCollection(target: String) async throws {
        let kit = try TokenKit([("boss", .admin, "*"), ("reader", .read, "own*")])
        let fixture = ServiceFixture { $0.access = kit.access }
        for collection in ["own", "other"] {
            let made = await fixture.send(
                "PUT", "/v1/collections/\(collection)", kit.shows("boss"),
                json: ServiceFixture.mix.replacing("Mix", with: "S3CR3T"))
            #expect(made.status == 201)
        }
        let received = await fixture.send("GET", target, kit.shows("reader"))
        #expect([400, 404].contains(received.status), "\(received.status)")
        #expect(!received.text.contains("S3CR3T"))
    }
}
