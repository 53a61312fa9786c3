import HTTPCore
import Testing

@testable import MedleyService

/// What counts against the collections that may be followed.
@Suite struct FollowedTests {
    @Test func whatMayNotBeReadDoesNotCount() async throws {
        let kit = try TokenKit([("boss", .admin, "*"), ("reader", .read, "own*")])
        let fixture = ServiceFixture {
            $0.access = kit.access
            $0.limits.followed = 2
        }
        for collection in ["own", "a", "b", "c"] {
            let made = await fixture.send("PUT", "/v1/collections/\(collection)", kit.shows("boss"), json: "{}")
            #expect(made.status == 201)
        }
        #expect(await fixture.ask("GET", "/v1/events", kit.shows("boss")).code == "overloaded")
        #expect(await fixture.ask("GET", "/v1/events", kit.shows("reader")).status == 200)
    }

    @Test func anAddressHasAShareAndGetsItBack() async throws {
        let fixture = await ServiceFixture.withMix {
            $0.limits.followed = 8
            $0.limits.followedPerAddress = 2
        }
        let target = "/v1/events?collections=a,b"
        let (first, second) = ("192.0.2.1:1", "192.0.2.2:1")
        var streams = [fixture.response(target, from: first)]
        #expect(await fixture.ask("GET", "/v1/events?collections=a", from: first).code == "too-many-requests")
        #expect(await fixture.ask("GET", target, from: second).status == 200)
        // Behind loopback there may be many.
        streams.append(fixture.response(target, from: "127.0.0.1:1"))
        #expect(await fixture.ask("GET", target, from: "127.0.0.1:1").status == 200)
        withExtendedLifetime(streams) {}
        streams = []
        #expect(await fixture.ask("GET", target, from: first).status == 200)
    }
}
