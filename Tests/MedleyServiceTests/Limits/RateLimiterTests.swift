import HTTPCore
import Testing

@testable import MedleyService

@Suite struct RateLimiterTests {
    private static let client = network(1)

    /// The n-th of many networks.
    private static func network(_ number: Int) -> RateLimiter.Client {
        .network(NetworkAddress("10.0.\(number / 256).\(number % 256)") ?? .unknown)
    }

    @Test func noRateIsNoLimiter() {
        #expect(RateLimiter(perSecond: 0, burst: 0) == nil)
    }

    @Test func aBucketFillsAsTimeGoesBy() throws {
        let limiter = try #require(RateLimiter(perSecond: 2, burst: 4))
        for _ in 0..<4 { #expect(limiter.take(Self.client, now: 10) == nil) }
        #expect(limiter.take(Self.client, now: 10) == 1)
        #expect(limiter.take(Self.network(2), now: 10) == nil)
        #expect(limiter.take(Self.client, now: 10.5) == nil)
        #expect(limiter.take(Self.client, now: 10.5) == 1)
        // Never more than the burst, however long the pause; and a clock that is read late takes nothing back.
        for _ in 0..<4 { #expect(limiter.take(Self.client, now: 1_000) == nil) }
        #expect(limiter.take(Self.client, now: 999) == 1)
    }

    @Test(arguments: [1, 3, 50])
    func overTimeAClientGetsItsRate(rate: Int) throws {
        let limiter = try #require(RateLimiter(perSecond: rate, burst: 4 * rate))
        // A hundred tries a second for a minute: across many turns of the buckets.
        let taken = (0..<6_000).count { limiter.take(Self.client, now: Double($0) / 100) == nil }
        #expect(abs(taken - (60 + 4) * rate) <= rate)
    }

    @Test func whatIsFullIsForgotten() throws {
        let limiter = try #require(RateLimiter(perSecond: 1, burst: 4))
        for number in 0..<1_000 { _ = limiter.take(Self.network(number), now: 0) }
        #expect(limiter.count == 1_000)
        _ = limiter.take(Self.client, now: 4)
        _ = limiter.take(Self.client, now: 8)
        #expect(limiter.count <= 2)
    }

    @Test func strangersShareABucketWhereThereAreTooMany() throws {
        let limiter = try #require(RateLimiter(perSecond: 1, burst: 2, mostNetworks: 10))
        let taken = (0..<1_000).count { limiter.take(Self.network($0), now: 0) == nil }
        #expect(taken == 12)
        #expect(limiter.count == 11)
        // One who was there before, and one with a token, are not among them.
        #expect(limiter.take(Self.network(0), now: 0) == nil)
        #expect(limiter.take(.token("t"), now: 0) == nil)
    }

    @Test func whoIsKnownKeepsItsBucketHoweverManyStrangersCome() throws {
        // A span is two seconds.
        let limiter = try #require(RateLimiter(perSecond: 1, burst: 2, mostNetworks: 10))
        #expect(limiter.take(Self.client, now: 0) == nil)
        for turn in 1...20 {
            let now = Double(2 * turn)
            for number in 0..<50 { _ = limiter.take(Self.network(100 * turn + number), now: now) }
            #expect(limiter.take(Self.client, now: now) == nil, "turn \(turn)")
            // Ten networks and the shared one, in each of two spans.
            #expect(limiter.count <= 22)
        }
    }

    // MARK: Whom a service counts

    private func service(_ kit: TokenKit? = nil) -> ServiceFixture {
        ServiceFixture { configuration in
            if let kit { configuration.access = kit.access }
            configuration.limits.requestsPerSecond = 1
        }
    }

    /// The statuses of so many requests.
    private func statuses(
        _ count: Int, _ fixture: ServiceFixture, _ target: String, _ headers: [(String, String)] = [],
        from peer: String
    ) async -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(await fixture.ask("GET", target, headers, from: peer).status) }
        return statuses
    }

    @Test(arguments: ["/v1", "/openapi.yaml", "/nothing", "/v1/collections/mix?x=1", "/%ff"])
    func whateverIsAskedCounts(target: String) async {
        let fixture = service()
        let statuses = await statuses(5, fixture, target, from: "[2001:db8:0:1::1]:9")
        #expect(statuses.last == 429)
        #expect(!statuses.dropLast().contains(429))
        let other = await self.statuses(1, fixture, target, from: "[2001:db8:0:1::2]:9")
        #expect(other == [429], "the same network")
        #expect(await self.statuses(1, fixture, target, from: "[2001:db8:0:2::1]:9") != [429])
    }

    @Test(arguments: [
        ("/healthz", "192.0.2.1:1"), ("/readyz", "192.0.2.1:1"), ("/v1", "127.0.0.1:1"), ("/v1", "[::1]:1"),
    ])
    func probesAndThisMachineAreNotCounted(_ target: String, _ peer: String) async {
        #expect(await statuses(9, service(), target, from: peer) == Array(repeating: 200, count: 9))
    }

    @Test func aTokenIsCountedWhereverItIs() async throws {
        let kit = try TokenKit([("a", .read, "*"), ("b", .read, "*")], anonymous: .read)
        let fixture = service(kit)
        var statuses: [Int] = []
        for host in 1...5 {
            statuses += await self.statuses(1, fixture, "/v1", kit.shows("a"), from: "192.0.2.\(host):1")
        }
        #expect(statuses == [200, 200, 200, 200, 429])
        #expect(await self.statuses(1, fixture, "/v1", kit.shows("a"), from: "127.0.0.1:1") == [429])
        #expect(await self.statuses(1, fixture, "/v1", kit.shows("b"), from: "192.0.2.1:1") == [200])
        #expect(await self.statuses(1, fixture, "/v1", from: "192.0.2.1:1") == [200])
    }

    @Test(arguments: ["192.0.2.1:1", "127.0.0.1:1"])
    func guessesAreCountedAndHoldNobodyUp(peer: String) async throws {
        let kit = try TokenKit(.read, anonymous: .read)
        let fixture = service(kit)
        let guess = [("Authorization", "Bearer medley_aaaaaaaaaaaa_guess")]
        #expect(await statuses(5, fixture, "/v1", guess, from: peer) == [401, 401, 401, 401, 429])
        #expect(await statuses(1, fixture, "/v1", kit.shows(), from: peer) == [200])
    }

    @Test func aRequestIsCountedOnceThoughItIsJudgedTwice() async {
        let fixture = service()
        let statuses = await statuses(4, fixture, "/v1", from: "192.0.2.1:1")
        #expect(statuses == [200, 200, 200, 200])
    }

    @Test func aRefusalSaysWhenToComeAgain() async {
        let fixture = service()
        _ = await statuses(4, fixture, "/v1", from: "192.0.2.1:1")
        let refused = await fixture.ask("PUT", "/v1/collections/a", json: "{}", from: "192.0.2.1:1")
        #expect((refused.status, refused.code) == (429, "too-many-requests"))
        #expect(refused.headers["Retry-After"] == "1")
        fixture.clock.advance(by: 1)
        #expect(await fixture.ask("PUT", "/v1/collections/a", json: "{}", from: "192.0.2.1:1").status == 201)
    }
}
