import HTTPCore
import MedleyCore
import Testing

@testable import MedleyService

extension LimitProbe {
    /// Those of what one request may be.
    static let ofRequests: [String: LimitProbe] = [
        "requestLineBytes": LimitProbe(200, { configuration, _ in configuration.limits.requestLineBytes = 200 }) {
            fixture, isOver in
            let room = 200 - "GET /v1?_= HTTP/1.1".utf8.count
            return try await raw("GET /v1?_=\(text(room, isOver)) HTTP/1.1\r\nHost: a\r\n\r\n", fixture)
        },
        "headBytes": LimitProbe(200, { configuration, _ in configuration.limits.headBytes = 200 }) {
            fixture, isOver in
            let room = 200 - "Host: a\r\nX: ".utf8.count
            return try await raw("GET /v1 HTTP/1.1\r\nHost: a\r\nX: \(text(room, isOver))\r\n\r\n", fixture)
        },
        "headerFields": LimitProbe(3, { configuration, _ in configuration.limits.headerFields = 3 }) {
            fixture, isOver in
            let fields = String(repeating: "X: 1\r\n", count: isOver ? 3 : 2)
            return try await raw("GET /v1 HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", fixture)
        },
        "requestSeconds": LimitProbe(nil, { configuration, _ in configuration.limits.requestSeconds = 0.02 }) {
            fixture, isOver in
            // Over it the last byte never comes.
            try await raw("GET /v1 HTTP/1.1\r\nHost: a\r\n\r\(isOver ? "" : "\n")", fixture)
        },
        "bodyBytes": LimitProbe(100, { configuration, _ in configuration.limits.bodyBytes = 100 }) {
            fixture, isOver in
            await fixture.ask(
                "PUT", "/v1/collections/a", [("Prefer", "return=minimal")], json: padded("{}", 100, isOver))
        },
        "pollBytes": LimitProbe(100, { configuration, _ in configuration.limits.pollBytes = 100 }) {
            fixture, isOver in
            await fixture.ask("POST", "/v1/changes", json: padded(#"{"since":{}}"#, 100, isOver))
        },
        "changes": LimitProbe(2, { configuration, _ in configuration.limits.changes = 2 }) { fixture, isOver in
            let like = #"{"op":"like","ids":["v2"]}"#
            return await patch([like, like] + (isOver ? [like] : []), fixture)
        },
        "requestNames": LimitProbe(8, { configuration, _ in configuration.limits.requestNames = 8 }) {
            fixture, isOver in
            // `mix` itself names three sections and five items.
            let ids = (0..<(isOver ? 9 : 8)).map { "\"i\($0)\"" }.joined(separator: ",")
            return await patch([#"{"op":"like","ids":[\#(ids)],"ifMissing":"ignore"}"#], fixture)
        },
        "queryIds": LimitProbe(2, { configuration, _ in configuration.limits.queryIDs = 2 }) { fixture, isOver in
            await fixture.ask("GET", "/v1/collections/mix/items?ids=v1,v2\(isOver ? ",v3" : "")")
        },
        "depth": LimitProbe(64) { fixture, isOver in
            let lists = isOver ? 64 : 63
            return await put(#"{"revision":\#(nested(lists))}"#, fixture)
        },
        "itemDepth": LimitProbe(56) { fixture, isOver in
            let lists = isOver ? 56 : 55
            return await put(
                #"{"sections":[{"id":"s","items":[{"id":"i","type":"a","m":\#(nested(lists))}]}]}"#, fixture)
        },
        "requestsPerSecond": LimitProbe(1, { configuration, _ in configuration.limits.requestsPerSecond = 1 }) {
            fixture, isOver in
            for _ in 0..<4 { _ = await fixture.ask("GET", "/v1", from: "192.0.2.1:1") }
            fixture.clock.advance(by: 1)
            if isOver { _ = await fixture.ask("GET", "/v1", from: "192.0.2.1:1") }
            return await fixture.ask("GET", "/v1", from: "192.0.2.1:2")
        },
        "requestBurst": LimitProbe(1, { configuration, _ in configuration.limits.requestsPerSecond = 1 }) {
            fixture, isOver in
            for _ in 0..<(isOver ? 4 : 3) { _ = await fixture.ask("GET", "/v1", from: "192.0.2.1:1") }
            return await fixture.ask("GET", "/v1", from: "192.0.2.1:2")
        },
    ]

    // MARK: Parts of requests

    static func raw(_ request: String, _ fixture: ServiceFixture) async throws -> Received {
        let served = try await fixture.served()
        defer { withExtendedLifetime(served) {} }
        let client = try served.connect()
        try client.send(request)
        return Received(try client.receive())
    }

    static func text(_ count: Int, _ isOver: Bool) -> String {
        String(repeating: "x", count: count + (isOver ? 1 : 0))
    }

    static func padded(_ json: String, _ count: Int, _ isOver: Bool) -> String {
        json + String(repeating: " ", count: count - json.utf8.count + (isOver ? 1 : 0))
    }

    static func nested(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }

    static func put(_ json: String, as collection: String = "a", _ fixture: ServiceFixture) async -> Received {
        await fixture.ask("PUT", "/v1/collections/\(collection)", json: json)
    }

    static func patch(_ changes: [String], _ fixture: ServiceFixture) async -> Received {
        await fixture.ask(
            "PATCH", "/v1/collections/mix", json: #"{"changes":[\#(changes.joined(separator: ","))]}"#)
    }
}
