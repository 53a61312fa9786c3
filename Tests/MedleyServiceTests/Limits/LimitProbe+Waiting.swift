import Dispatch
import HTTPCore
import Journal
import MedleyCore
import Testing

@testable import MedleyService

extension LimitProbe {
    /// Those of how much is under way at once.
    static let ofWaiting: [String: LimitProbe] = [
        "connections": LimitProbe(2, { configuration, _ in configuration.limits.connections = 2 }) {
            fixture, isOver in
            let served = try await fixture.served()
            let others = try (0..<(isOver ? 2 : 1)).map { _ in try served.connect() }
            for other in others { _ = try served.send("GET", "/healthz", over: other) }
            let client = try served.connect()
            if !isOver { try client.send(served.text("GET", "/healthz")) }
            defer { withExtendedLifetime(others) {} }
            return Received(try client.receive())
        },
        "connectionsPerAddress": LimitProbe(
            2,
            { configuration, _ in
                configuration.limits.connectionsPerAddress = 2
                configuration.limits.loopbackIsExempt = false
            },
            { fixture, isOver in
                let served = try await fixture.served()
                let others = try (0..<(isOver ? 2 : 1)).map { _ in try served.connect() }
                for other in others { _ = try served.send("GET", "/healthz", over: other) }
                let client = try served.connect()
                if !isOver { try client.send(served.text("GET", "/healthz")) }
                defer { withExtendedLifetime(others) {} }
                return Received(try client.receive())
            }),
        "waiting": LimitProbe(2, { configuration, _ in configuration.limits.waiting = 2 }) { fixture, isOver in
            let streams = (0..<(isOver ? 2 : 1)).map { _ in fixture.response("/v1/events?collections=mix") }
            defer { withExtendedLifetime(streams) {} }
            return await fixture.ask("GET", "/v1/events?collections=mix")
        },
        "waitingPerAddress": LimitProbe(2, { configuration, _ in configuration.limits.waitingPerAddress = 2 }) {
            fixture, isOver in
            let peer = "[2001:db8::1]:1"
            let streams = (0..<(isOver ? 2 : 1)).map { _ in fixture.response("/v1/events", from: peer) }
            defer { withExtendedLifetime(streams) {} }
            return await fixture.ask("GET", "/v1/events", from: "[2001:db8::2]:1")
        },
        "followedCollections": LimitProbe(
            2, { configuration, _ in configuration.limits.followedCollections = 2 },
            { fixture, isOver in
                await fixture.ask(
                    "POST", "/v1/changes", json: #"{"since":{"mix":null,"a":null\#(isOver ? #","b":null"# : "")}}"#)
            }),
        "followed": LimitProbe(3, { configuration, _ in configuration.limits.followed = 3 }) { fixture, isOver in
            let stream = fixture.response("/v1/events?collections=mix")
            defer { withExtendedLifetime(stream) {} }
            return await fixture.ask("GET", "/v1/events?collections=a,b\(isOver ? ",c" : "")")
        },
        "followedPerAddress": LimitProbe(3, { configuration, _ in configuration.limits.followedPerAddress = 3 }) {
            fixture, isOver in
            let stream = fixture.response("/v1/events?collections=mix", from: "192.0.2.1:1")
            defer { withExtendedLifetime(stream) {} }
            return await fixture.ask(
                "GET", "/v1/events?collections=a,b\(isOver ? ",c" : "")", from: "192.0.2.1:2")
        },
        "arrivingBytes": LimitProbe(50_000, { configuration, _ in configuration.limits.arrivingBytes = 50_000 }) {
            fixture, isOver in
            // What is over 64 KiB counts.
            let body = padded("{}", 65_536 + 50_000, isOver)
            let served = try await fixture.served()
            let client = try served.connect()
            let text = served.text("PUT", "/v1/collections/a", [("Prefer", "return=minimal")], json: body)
            // The last byte decides, so that all before it can be sent.
            try client.send(text)
            return Received(try client.receive())
        },
        "editBytes": LimitProbe(60, { configuration, _ in configuration.limits.editBytes = 60 }) {
            fixture, isOver in
            try await whileAnEditIsKept(padded(#"{"changes":[]}"#, 30, false)) { fixture in
                fixture.begin("PUT", "/v1/collections/b", json: padded("{}", 30, isOver))
            }
        },
        "importBytes": LimitProbe(10 << 20, { configuration, _ in configuration.limits.bodyBytes = 1 << 20 }) {
            fixture, isOver in
            // Others have all but the piece that a small import takes.
            let others = try #require(fixture.service.importBytes.reservation(of: (9 << 20) + (isOver ? 1 : 0)))
            defer { withExtendedLifetime(others) {} }
            return await fixture.ask(
                "POST", "/v1/collections/mix/import", [("Content-Type", "text/csv")], json: "id,type\nn,music\n")
        },
        "waitingBodies": LimitProbe(1, { configuration, _ in configuration.limits.waitingBodies = 1 }) {
            _, isOver in
            let (isDecoding, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let fixture = ServiceFixture { configuration in
                configuration.limits.waitingBodies = 1
                configuration.makeItemID = {
                    isDecoding.signal()
                    goesOn.wait()
                    return ItemID("made")
                }
            }
            let body = padded(#"{"sections":[{"id":"s","items":[{"type":"a"}]}]}"#, 70_000, false)
            let first = fixture.begin("PUT", "/v1/collections/a", json: body)
            isDecoding.wait()
            var received: Received?
            if isOver {
                let second = fixture.begin("PUT", "/v1/collections/b", json: padded("{}", 70_000, false))
                for await answer in second { received = answer }
            }
            goesOn.signal()
            for await answer in first where !isOver { received = answer }
            return try #require(received)
        },
        "waitingEdits": LimitProbe(1, { _, commits in commits.waitingEdits = 1 }) { fixture, isOver in
            try await whileAnEditIsKept("{\"changes\":[{\"op\":\"like\",\"ids\":[\"v2\"]}]}", waiting: 1) { fixture in
                if isOver { _ = fixture.begin("PUT", "/v1/collections/b", json: "{}") }
                return fixture.begin("PUT", "/v1/collections/c", json: "{}")
            }
        },
    ]

    /// The answer to an edit that is sent while another is being kept, on a service of its own.
    private static func whileAnEditIsKept(
        _ first: String, waiting: Int? = nil, _ begin: @Sendable (ServiceFixture) -> AsyncStream<Received>
    ) async throws -> Received {
        let journal = GatedJournal()
        var commits = Committer.Limits()
        if let waiting { commits.waitingEdits = waiting }
        let fixture = await ServiceFixture.withMix(journal: journal, commits: commits) { configuration in
            if waiting == nil { configuration.limits.editBytes = 60 }
        }
        journal.shut()
        let json = waiting == nil ? padded(#"{"x":1}"#, 30, false) : first
        let target = waiting == nil ? "/v1/collections/mix/items/v1" : "/v1/collections/mix"
        let kept = fixture.begin("PATCH", target, json: json)
        journal.hasBegun.wait()
        let answers = begin(fixture)
        journal.gate.signal()
        var received: Received?
        for await answer in answers { received = answer }
        for await _ in kept {}
        return try #require(received)
    }
}
