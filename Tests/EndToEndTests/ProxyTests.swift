import Foundation
import MedleyCore
import MedleyJSON
import Testing

/// Live answers through nginx, as people put it in front: unless it is told otherwise it gathers answers in buffers.
@Suite(.enabled(if: ReverseProxy.program != nil, "nginx is not installed"))
struct ProxyTests {
    /// How nginx is told to pass requests on.
    enum Way: CaseIterable {
        /// As it does by itself: with buffers, by HTTP/1.0.
        case plain
        /// It compresses, by HTTP/1.1.
        case compressed

        var settings: String {
            switch self {
            case .plain: ""
            case .compressed:
                """
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                gzip on;
                gzip_proxied any;
                gzip_types text/event-stream application/json;
                """
            }
        }
    }

    private static let gzip = [("Accept-Encoding", "gzip")]
    private let like = [Change(.toggleLiked(["v1"]))]

    @Test(arguments: Way.allCases) func eventsComeSinglyAndAtOnce(_ way: Way) throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, way.settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let connection = try running.connect()
        let since = try connection.snapshot("mix").revision
        let events = try EventClient(port: proxy.port, "/v1/collections/mix/events?since=\(since)", Self.gzip)
        #expect(events.head.status == 200)
        #expect(events.head["Content-Type"] == "text/event-stream")
        #expect(events.head["Content-Encoding"] == (way == .compressed ? "gzip" : nil))
        #expect(try events.next()?.to == since.description)
        for _ in 0..<20 {
            // The next edit is made when the event of this one has come; the client's patience ends the test.
            let edit = try connection.patch("mix", like)
            let event = try #require(try events.next())
            #expect(event.id == edit.answer?.to.description)
            #expect(event.data == edit.reply.text)
        }
    }

    @Test(arguments: Way.allCases) func aLargeResetComesWhole(_ way: Way) throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, way.settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let connection = try running.connect()
        let items = (0..<5_000).map { #"{"id":"i\#($0)","type":"music","title":"Title number \#($0)"}"# }
        let body = #"{"title":"Many","sections":[{"id":"s","title":"S","items":[\#(items.joined(separator: ","))]}]}"#
        let made = try connection.send("PUT", "/v1/collections/many", json: Array(body.utf8))
        try #require(made.status == 201, "\(made.text)")
        let events = try EventClient(port: proxy.port, "/v1/collections/many/events", Self.gzip)
        let reset = try #require(try events.next())
        #expect(reset.name == "reset")
        #expect(reset.data.utf8.count > 200_000)
        #expect(reset.data.contains("Title number 4999"))
        let edit = try connection.send("DELETE", "/v1/collections/many/items/i7")
        #expect(try events.next()?.id == edit["Revision"])
    }

    @Test(arguments: Way.allCases) func aHeldPollIsAnsweredWhenSomethingChanges(_ way: Way) throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, way.settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let connection = try running.connect()
        let client = try TestClient(port: proxy.port)
        var since = try connection.snapshot("mix").revision
        for _ in 0..<5 {
            try client.send(
                "GET /v1/collections/mix/changes?since=\(since)&wait=20 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try HeldPollTests.waitForHeld(1, running)
            let edit = try connection.patch("mix", like)
            let reply = try client.receive()
            #expect(reply.status == 200)
            #expect(reply.body == edit.reply.body)
            since = try #require(edit.answer?.to)
        }
    }

    @Test(arguments: Way.allCases) func aClientThatGoesFreesItsPlace(_ way: Way) throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, way.settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let since = try running.connect().snapshot("mix").revision
        for target in ["changes?since=\(since)&wait=60", "events?since=\(since)"] {
            let gauge = target.hasPrefix("events") ? "medley_event_streams" : "medley_held_requests"
            let clients = try (0..<20).map { _ in
                let client = try TestClient(port: proxy.port)
                try client.send("GET /v1/collections/mix/\(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return client
            }
            try HeldPollTests.waitForHeld(20, of: gauge, running)
            // Half of them by a reset, the others in order.
            for client in clients.prefix(10) { client.reset() }
            for client in clients.suffix(10) { client.endSending() }
            try HeldPollTests.waitForHeld(0, of: gauge, running)
            withExtendedLifetime(clients) {}
        }
    }

    /// A page's edit, as a browser sends it that does not say `Sec-Fetch-Site`.
    @Test(arguments: [("proxy_set_header Host $http_host;", 200), ("", 403)])
    func aPageEditsThroughAProxyThatTellsItsHost(_ settings: String, _ status: Int) throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let client = try TestClient(port: proxy.port)
        let host = "localhost:\(proxy.port)"
        let body = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#
        try client.send(
            "PATCH /v1/collections/mix HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try client.receive().status == status)
    }

    @Test func aStopIsToldThroughTheProxy() throws {
        let running = try RunningServer(["--sample"])
        let proxy = try ReverseProxy(to: running.port, Way.compressed.settings)
        defer { withExtendedLifetime((running, proxy)) {} }
        let since = try running.connect().snapshot("mix").revision
        let events = try EventClient(port: proxy.port, "/v1/collections/mix/events?since=\(since)", Self.gzip)
        #expect(try events.next()?.name == "changes")
        let isStopped = HeldPollTests.stop(running)
        #expect(try events.next()?.name == "bye")
        #expect(try events.next() == nil)
        #expect(isStopped())
    }
}
