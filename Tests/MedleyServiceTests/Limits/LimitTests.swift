import HTTPCore
import Journal
import MedleyCore
import Testing

@testable import MedleyService

/// Every limit that the service tells is one that it holds to.
@Suite struct LimitTests {
    private static let rows = ServiceLimits().rows(Committer.Limits())
    private static let probes = LimitProbe.ofRequests.merging(LimitProbe.ofCollections) { first, _ in first }
        .merging(LimitProbe.ofWaiting) { first, _ in first }
    private static let refusals = rows.filter { if case .refused = $0.beyond { true } else { false } }.map(\.name)
    private static let others = rows.map(\.name).filter { !refusals.contains($0) }

    @Test func eachLimitHasItsTestAndItsName() {
        #expect(Set(Self.rows.map(\.name)).count == Self.rows.count)
        #expect(Set(Self.refusals) == Set(Self.probes.keys))
        #expect(Set(Self.others) == Set(EasedLimitTests.names))
    }

    @Test(arguments: refusals)
    func whatIsAtALimitIsTaken(name: String) async throws {
        let probe = try #require(Self.probes[name])
        let received = try await probe.attempt(await probe.fixture(), false)
        #expect((200..<300).contains(received.status), "\(received.text)")
    }

    @Test(arguments: refusals)
    func oneOverALimitIsRefused(name: String) async throws {
        let probe = try #require(Self.probes[name])
        let row = try #require(Self.rows.first { $0.name == name })
        let received = try await probe.attempt(await probe.fixture(), true)
        #expect(row.beyond == .refused(status: received.status, code: received.code ?? received.text))
        #expect(received.object["limit"] as? Int == probe.limit)
        #expect((received.headers["Retry-After"] != nil) == [429, 503].contains(received.status))
    }

    @Test func aCollectionOverItsLimitsMayBeEditedIfItDoesNotGrow() async {
        let fixture = await ServiceFixture.withMix { $0.limits.collectionItems = 5 }
        #expect(await LimitProbe.put(ServiceFixture.mix, as: "mix", fixture).status == 200)
        let probe = #"{"op":"insert","items":[{"id":"n","type":"video"}]}"#
        #expect(await LimitProbe.patch([probe], fixture).code == "limit-reached")
        #expect(await LimitProbe.patch([#"{"op":"delete","ids":["v1"]}"#, probe], fixture).status == 200)
        #expect(await LimitProbe.patch([#"{"op":"like","ids":["v2"]}"#], fixture).status == 200)
    }

    @Test func whoNeedsNoBytesIsNotInTheWay() {
        let budget = ByteBudget(limit: 10)
        #expect(budget.reserve(20))
        #expect(budget.reserve(0))
        #expect(!budget.reserve(1))
    }

    @Test func roomThatADeletionMakesCanBeUsedAtOnce() async {
        var commits = Committer.Limits()
        commits.collections = 1
        let fixture = await ServiceFixture.withMix(commits: commits)
        #expect(await fixture.send("PUT", "/v1/collections/b", json: "{}").code == "limit-reached")
        #expect(await fixture.send("PUT", "/v1/collections/mix", json: "{}").status == 200)
        #expect(await fixture.send("DELETE", "/v1/collections/mix").status == 204)
        #expect(await fixture.send("PUT", "/v1/collections/b", json: "{}").status == 201)
    }
}
