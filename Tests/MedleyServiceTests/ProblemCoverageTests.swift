import Dispatch
import HTTPCore
import HTTPServer
import Journal
import Testing

@testable import MedleyService

/// Each code of the protocol is produced through a socket; one without a request that produces it fails here.
@Suite struct ProblemCoverageTests {
    private static let mix = ProblemTests.mix

    /// The protocol's codes, by section 4 and, for 405 to 431, by HTTP's names.
    private static let protocolCodes = """
        malformed-json invalid-change invalid-revision invalid-query malformed-request unauthenticated forbidden
        collection-not-found item-not-found section-not-found type-not-found not-found method-not-allowed
        not-acceptable request-timeout content-too-large uri-too-long unsupported-media-type
        request-header-fields-too-large misdirected-request item-exists section-exists no-section key-in-use limit-reached revision-gone
        revision-unknown lineage-changed cursor-gone revision-stale invalid-id duplicate-id anchor-in-list
        wrong-section not-a-permutation invalid-item key-reused too-many-requests overloaded shutting-down
        storage-failed internal
        """

    /// Codes that nothing produces, and why.
    private static let exempt = [
        "internal": "no request is known to bring it about; such a request would be a bug"
    ]

    /// Codes that need more than one request to the collection `mix`.
    private static let situations: [ProblemCode] = [
        .unauthenticated, .forbidden, .misdirectedRequest, .requestTimeout, .keyInUse, .limitReached, .revisionGone,
        .cursorGone,
        .keyReused, .tooManyRequests, .overloaded,
        .shuttingDown, .storageFailed,
    ]

    @Test func everyCodeHasItsRequest() {
        let produced = Set(
            ProblemTests.requests.map(\.code) + SocketTests.refusals.map(\.code) + Self.situations.map(\.rawValue))
        let named = Self.protocolCodes.split { $0.isWhitespace }.map(String.init)
        #expect(Set(named).count == 42)
        for code in named { #expect(produced.contains(code) != (Self.exempt[code] != nil), "\(code)") }
        for code in ProblemCode.allCases.map(\.rawValue) {
            #expect(produced.contains(code) != (Self.exempt[code] != nil), "\(code)")
        }
    }

    /// A service brought to where a request fails, and that request's response.
    private struct Situation {
        let served: SocketService
        let respond: () throws -> Received
        /// What is to be done after the response.
        var end: () throws -> Void = {}
    }

    @Test(arguments: situations)
    func aSituationHasItsProblemAndChangesNothing(code: ProblemCode) async throws {
        let situation = try await Self.situation(of: code)
        let served = situation.served
        let before = await served.fixture.state
        let revision = served.fixture.revision
        #expect(before.count == 1)
        let received = try situation.respond()
        #expect((received.status, received.code) == (code.status, code.rawValue), "\(received.text)")
        #expect(received.missingOfProblem(method: "", current: revision) == [])
        #expect(await served.fixture.state == before)
        #expect(served.fixture.revision == revision)
        try situation.end()
    }

    private static func situation(of code: ProblemCode) async throws -> Situation {
        switch code {
        case .unauthenticated:
            let kit = try TokenKit(.admin, anonymous: .read)
            let fixture = await ServiceFixture.withMix(showing: kit.shows()) { $0.access = kit.access }
            let served = try await SocketService(fixture)
            return Situation(served: served) { try served.send("PATCH", mix, json: ProblemTests.like) }
        case .forbidden:
            let kit = try TokenKit([("boss", .admin, "*"), ("reader", .read, "*")], anonymous: .read)
            let fixture = await ServiceFixture.withMix(showing: kit.shows("boss")) { $0.access = kit.access }
            let served = try await SocketService(fixture)
            return Situation(served: served) {
                try served.send("PATCH", mix, kit.shows("reader"), json: ProblemTests.like)
            }
        case .misdirectedRequest:
            let served = try await SocketService(
                await .withMix { $0.hosts = HostNames([], admitsNumbers: false) })
            return Situation(served: served) {
                let client = try served.connect()
                try client.send("GET \(mix) HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                return Received(try client.receive())
            }
        case .requestTimeout:
            let served = try await SocketService {
                $0.timeouts.request = 20_000_000
                $0.tick = 5_000_000
            }
            return Situation(served: served) {
                let client = try served.connect()
                try client.send(served.text("PATCH", mix, json: ProblemTests.like).dropLast(1).description)
                return Received(try client.receive())
            }
        case .keyInUse: return try await keyInUse()
        case .limitReached:
            var limits = Committer.Limits()
            limits.collections = 1
            let served = try await SocketService(await .withMix(commits: limits))
            return Situation(served: served) { try served.send("PUT", "/v1/collections/other", json: "{}") }
        case .revisionGone:
            var limits = Committer.Limits()
            limits.keptDeletions = 0
            let served = try await SocketService(await .withMix(commits: limits))
            let first = served.fixture.revision
            #expect(try served.send("DELETE", mix + "/items/v1").status == 200)
            return Situation(served: served) { try served.send("GET", mix + "/changes?since=\(first)") }
        case .cursorGone:
            let served = try await SocketService()
            let page = try served.send("GET", mix + "?limit=1")
            let next = try #require(page.object["next"] as? String)
            #expect(try served.send("DELETE", mix + "/items/v2").status == 200)
            #expect(try served.send("GET", mix + "?limit=1&cursor=\(next)").status == 200)
            served.fixture.clock.advance(by: 301)
            return Situation(served: served) { try served.send("GET", mix + "?limit=1&cursor=\(next)") }
        case .keyReused:
            let served = try await SocketService()
            let key = [("Idempotency-Key", "k")]
            #expect(try served.send("PATCH", mix, key, json: ProblemTests.like).status == 200)
            return Situation(served: served) { try served.send("DELETE", mix, key) }
        case .tooManyRequests:
            let fixture = await ServiceFixture.withMix {
                $0.limits.waitingPerAddress = 1
                $0.limits.loopbackIsExempt = false
            }
            let served = try await SocketService(fixture)
            let poll = mix + "/changes?since=\(fixture.revision)&wait=60"
            let first = try served.connect()
            try first.send(served.text("GET", poll))
            while fixture.service.places.counts.polls == 0 { await Task.yield() }
            return Situation(served: served) {
                try served.send("GET", poll)
            } end: {
                withExtendedLifetime(first) {}
            }
        case .overloaded:
            let served = try await SocketService { $0.maxConnections = 1 }
            let only = try served.connect()
            #expect(try served.send("GET", "/healthz", over: only).status == 200)
            return Situation(served: served) {
                Received(try served.connect().receive())
            } end: {
                let served = try served.send("GET", "/healthz", over: only)
                #expect(served.status == 200)
            }
        case .shuttingDown:
            let served = try await SocketService()
            served.fixture.committer.close()
            return Situation(served: served) { try served.send("PATCH", mix, json: ProblemTests.like) }
        case .storageFailed:
            let fails = Switch()
            let served = try await SocketService(await .withMix(journal: FailingJournal(fails: fails)))
            fails.set(true)
            return Situation(served: served) { try served.send("PATCH", mix, json: ProblemTests.like) }
        default: throw UnknownSituation(code: code)
        }
    }

    private struct UnknownSituation: Error {
        let code: ProblemCode
    }

    /// Two requests with one key, the first of which is being kept.
    private static func keyInUse() async throws -> Situation {
        let journal = GatedJournal()
        let served = try await SocketService(await .withMix(journal: journal))
        journal.shut()
        let first = try served.connect()
        let request = served.text("PATCH", mix, [("Idempotency-Key", "k")], json: ProblemTests.like)
        try first.send(request)
        return Situation(served: served) {
            journal.hasBegun.wait()
            let second = try served.connect()
            try second.send(request)
            return Received(try second.receive())
        } end: {
            journal.gate.signal()
            let taken = Received(try first.receive())
            #expect(taken.status == 200)
            let again = try served.send("PATCH", mix, [("Idempotency-Key", "k")], json: ProblemTests.like)
            #expect(again.headers["Idempotency-Replayed"] == "true")
        }
    }
}
