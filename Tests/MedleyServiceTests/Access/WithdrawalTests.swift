import HTTPCore
import HTTPServer
import Journal
import MedleyCore
import Testing

@testable import MedleyService

/// What is held for someone ends when what they showed is no longer in force.
@Suite struct WithdrawalTests {
    @Test func anEditWhoseTokenGoesWhileItIsDecodedIsNotCarriedOut() async throws {
        let kit = try TokenKit(.admin, anonymous: .read)
        // An item without an id has one made in the middle of decoding.
        let fixture = await ServiceFixture.withMix(showing: kit.shows()) {
            $0.access = kit.access
            $0.makeItemID = {
                try? kit.withdraw()
                return ItemID("made")
            }
        }
        let received = await fixture.send(
            "PATCH", "/v1/collections/mix", kit.shows(),
            json: #"{"changes":[{"op":"insert","items":[{"type":"music","title":"T"}]}]}"#)
        #expect(received.status == 401)
        #expect(await fixture.send("GET", "/v1/collections/mix/items/made").status == 404)
    }

    private static let grants: [(String, Right, String)] = [
        ("boss", .admin, "*"), ("reader", .read, "own*"), ("other", .read, "own*"),
    ]

    private struct World {
        let kit: TokenKit
        let served: SocketService
        let clock: ManualClock

        init() async throws {
            let clock = ManualClock()
            let kit = try TokenKit(WithdrawalTests.grants, clock: clock)
            (self.kit, self.clock) = (kit, clock)
            served = try await SocketService(
                ServiceFixture { $0.access = kit.access }
            ) { $0.tick = 5_000_000 }
            for collection in ["own", "foreign"] { try put(collection) }
        }

        func put(_ collection: String) throws {
            let made = try served.send(
                "PUT", "/v1/collections/\(collection)", kit.shows("boss"), json: ServiceFixture.mix)
            #expect([200, 201].contains(made.status))
        }

        func edit(_ collection: String) throws {
            let target = "/v1/collections/\(collection)"
            let received = try served.send(
                "PATCH", target, kit.shows("boss"), json: #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#)
            #expect(received.status == 200)
        }

        func revision(_ collection: String) -> String {
            served.fixture.library.snapshot(of: collection)?.revision.description ?? ""
        }

        /// Sends a request that waits, and returns when it does.
        func hold(_ request: String) throws -> TestClient {
            let before = served.fixture.service.places.counts
            let client = try served.connect()
            try client.send(request)
            until { served.fixture.service.places.counts != before }
            return client
        }

        func poll(_ fields: [(String, String)]) -> String {
            served.text("GET", "/v1/collections/own/changes?since=\(revision("own"))&wait=60", fields)
        }

        func polls(_ fields: [(String, String)]) -> String {
            served.text("POST", "/v1/changes", fields, json: #"{"since":{"own":"\#(revision("own"))"},"wait":60}"#)
        }

        func stream(_ target: String, _ fields: [(String, String)]) throws -> TestClient {
            let client = try hold(served.text("GET", target, fields))
            #expect(try client.receiveHead().status == 200)
            return client
        }
    }

    /// The chunks of a stream up to one that has a text.
    private func read(_ client: TestClient, until text: String) throws {
        while let chunk = try client.receiveChunk() { if chunk.contains(text) { return } }
        Issue.record("the stream ended")
    }

    @Test(arguments: [false, true])
    func aHeldPollIsRefusedWhenItsTokenIsWithdrawn(ofMany: Bool) async throws {
        let world = try await World()
        let fields = world.kit.shows("reader")
        let client = try world.hold(ofMany ? world.polls(fields) : world.poll(fields))
        try world.kit.withdraw("reader")
        let received = Received(try client.receive())
        #expect((received.status, received.code) == (401, "unauthenticated"))
        #expect(received.headers["WWW-Authenticate"] != nil)
        // Its place is free again.
        until { world.served.fixture.service.places.counts.polls == 0 }
    }

    @Test(arguments: ["/v1/collections/own/events?since=REVISION", "/v1/events", "/v1/events?collections=own"])
    func aStreamEndsWhenItsTokenIsWithdrawn(target: String) async throws {
        let world = try await World()
        let client = try world.stream(
            target.replacing("REVISION", with: world.revision("own")), world.kit.shows("reader"))
        try read(client, until: "changes\":[]")
        try world.kit.withdraw("reader")
        while let chunk = try client.receiveChunk() { #expect(!chunk.contains("data:")) }
    }

    @Test(arguments: [false, true])
    func nothingIsToldAfterTheWithdrawal(ofMany: Bool) async throws {
        // The ticks are far apart: what ends the request is that there is something to tell.
        let kit = try TokenKit(Self.grants.map { ($0.0, $0.1, "*") })
        let served = try await SocketService(
            await .withMix(showing: kit.shows("boss")) { $0.access = kit.access }
        ) { $0.tick = 3_600_000_000_000 }
        let revision = served.fixture.revision
        let client = try served.connect()
        try client.send(
            ofMany
                ? served.text(
                    "POST", "/v1/changes", kit.shows("reader"), json: #"{"since":{"mix":"\#(revision)"},"wait":60}"#)
                : served.text("GET", "/v1/collections/mix/changes?since=\(revision)&wait=60", kit.shows("reader")))
        until { served.fixture.service.places.counts.polls > 0 }
        try kit.withdraw("reader")
        let edited = try served.send("PATCH", "/v1/collections/mix", kit.shows("boss"), json: ProblemTests.like)
        #expect(edited.status == 200)
        let refused = Received(try client.receive())
        #expect((refused.status, refused.code) == (401, "unauthenticated"))
        #expect(!refused.text.contains("changes"))
    }

    @Test func rightsThatShrinkEndWhatIsHeld() async throws {
        let world = try await World()
        let client = try world.stream("/v1/events", world.kit.shows("reader"))
        let poll = try world.hold(world.poll(world.kit.shows("reader")))
        try world.kit.change { tokens in
            let patterns = try #require(Grant.patterns("own-else"))
            return tokens.map { token in
                guard token.grant.name == "reader" else { return token }
                let grant = Grant(name: "reader", right: .read, collections: patterns)
                return StoredToken(grant: grant, id: token.id, salt: token.salt, digest: token.digest)
            }
        }
        while try client.receiveChunk() != nil {}
        #expect(try poll.receive().status == 401)
        // The token itself is as good as before.
        #expect(try world.served.send("GET", "/v1/collections", world.kit.shows("reader")).status == 200)
        #expect(try world.served.send("GET", "/v1/collections/own", world.kit.shows("reader")).status == 404)
    }

    @Test func anotherTokenOfTheSameNameIsNotTheSame() async throws {
        let world = try await World()
        let client = try world.stream("/v1/events", world.kit.shows("reader"))
        try world.kit.change { $0.map { $0.grant.name == "reader" ? StoredToken.issue($0.grant).stored : $0 } }
        while try client.receiveChunk() != nil {}
        #expect(try world.served.send("GET", "/v1/collections", world.kit.shows("reader")).status == 401)
    }

    @Test func whatOthersHoldGoesOn() async throws {
        let world = try await World()
        let client = try world.stream(
            "/v1/collections/own/events?since=\(world.revision("own"))", world.kit.shows("other"))
        let poll = try world.hold(world.poll(world.kit.shows("other")))
        try read(client, until: "changes\":[]")
        try world.kit.withdraw("reader")
        try world.kit.change { $0 }
        try world.edit("own")
        try read(client, until: "\"op\":\"update\"")
        #expect(try poll.receive().status == 200)
    }

    @Test func aStreamOfAllTellsOnlyOfOwnCollections() async throws {
        let world = try await World()
        let client = try world.stream("/v1/events", world.kit.shows("reader"))
        var seen = ""
        func read(until text: String) throws {
            while !seen.contains(text) { seen += try #require(try client.receiveChunk()) }
        }
        try read(until: #"{"collection":"own""#)
        try world.edit("foreign")
        try world.put("foreign-later")
        try world.put("own-later")
        try read(until: #"{"collection":"own-later""#)
        _ = try world.served.send("DELETE", "/v1/collections/foreign", world.kit.shows("boss"))
        _ = try world.served.send("DELETE", "/v1/collections/own-later", world.kit.shows("boss"))
        try read(until: "event: gone\ndata: {\"collection\":\"own-later\"}")
        #expect(!seen.contains("foreign"))
    }

    @Test func aStreamTellsNothingOfAForeignCollectionThatItNames() async throws {
        let world = try await World()
        let client = try world.stream(
            "/v1/events?collections=own,foreign,nothing", world.kit.shows("reader"))
        var seen = ""
        while !seen.contains(#"data: {"collection":"nothing"}"#) { seen += try #require(try client.receiveChunk()) }
        try world.edit("foreign")
        try world.edit("own")
        while !seen.contains(#""op":"update""#) { seen += try #require(try client.receiveChunk()) }
        // As of one that is not there.
        #expect(seen.contains("event: gone\ndata: {\"collection\":\"foreign\"}"))
        #expect(!seen.contains(world.revision("foreign").split(separator: "-").first ?? "?"))
    }

    @Test func signingOutEndsWhatTheCookieHolds() async throws {
        let world = try await World()
        let session = try await OriginTests.signIn(world.served.fixture, world.kit, "reader")
        let client = try world.stream("/v1/collections/own/events", session)
        let own = [("Sec-Fetch-Site", "same-origin")]
        #expect(try world.served.send("DELETE", "/v1/session", session + own).status == 204)
        while try client.receiveChunk() != nil {}
    }

    @Test func aSessionThatGoesForAnotherEndsWhatItHolds() async throws {
        let world = try await World()
        let fixture = world.served.fixture
        let session = try await OriginTests.signIn(fixture, world.kit, "reader")
        let client = try world.stream("/v1/collections/own/events", session)
        for _ in 1..<SessionTable.mostOfToken { _ = try await OriginTests.signIn(fixture, world.kit, "reader") }
        try world.edit("own")
        try read(client, until: "\"op\":\"update\"")
        _ = try await OriginTests.signIn(fixture, world.kit, "reader")
        while try client.receiveChunk() != nil {}
    }

    @Test func aSessionThatEndsInTimeEndsWhatItHolds() async throws {
        let world = try await World()
        let session = try await OriginTests.signIn(world.served.fixture, world.kit, "reader")
        let client = try world.stream("/v1/collections/own/events", session)
        world.clock.advance(by: SessionTable.seconds)
        while try client.receiveChunk() != nil {}
    }

    @Test func aRequestAtTheMomentOfTheWithdrawalIsRefusedWithItsBody() async throws {
        let world = try await World()
        let json = #"{"changes":[]}"#
        let request = world.served.text("PATCH", "/v1/collections/own", world.kit.shows("boss"), json: json)
        let client = try world.served.connect()
        // The head is admitted, and the body comes later.
        let head = String(request.dropLast(json.count + 1))
        try client.send(head + "Expect: 100-continue\r\n\r\n")
        #expect(try client.receiveHead().status == 100)
        try world.kit.withdraw("boss")
        try client.send(json)
        #expect(try client.receive().status == 401)
    }
}
