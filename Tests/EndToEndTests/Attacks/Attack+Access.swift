import EventLoop
import Foundation
import Glibc
import Synchronization
import Testing

extension Attack {
    /// Wanting more than a token grants.
    static let access = [
        Attack(name: "other ways of writing a path", wantsTokens: true) { server in
            let made = try server.ask(
                "PUT", "/v1/collections/secret", token: server.admin,
                json: Array(
                    #"{"title":"Nobody knows","sections":[{"id":"s","items":[{"id":"i","type":"music"}]}]}"#.utf8))
            let revision = try #require(made["Revision"])
            for method in ["GET", "HEAD", "PUT", "PATCH", "DELETE", "POST"] {
                for target in pathsToSecret {
                    for token in [server.guest, nil] {
                        let body = method == "GET" || method == "HEAD" || method == "DELETE" ? nil : Array("{}".utf8)
                        let reply = try server.ask(method, target, token: token, json: body)
                        #expect(
                            [400, 401, 403, 404, 405].contains(reply.status), "\(method) \(target): \(reply.status)")
                        #expect(!reply.text.contains("Nobody knows"), "\(method) \(target)")
                    }
                }
            }
            let many = try server.ask(
                "POST", "/v1/changes", token: server.guest, json: Array(#"{"since":{"secret":"\#(revision)"}}"#.utf8))
            #expect(many.text.contains("collection-not-found"), "\(many.text)")
            let now = try server.ask("GET", "/v1/collections/secret", token: server.admin)
            #expect(now["Revision"] == revision)
        },
        Attack(name: "guessing tokens", wantsTokens: true) { server in
            let guest = try #require(server.guest)
            let guesses = [
                "", "x", "medley_", "medley__", String(guest.dropLast()), guest + "a", guest.uppercased(),
                String(guest.reversed()), String(repeating: "a", count: 8_000), "\u{0001}", "medley_*_*",
            ]
            try server.inThreads(4) { _ in
                for number in 0..<(server.isWhole ? 5_000 : 200) {
                    let token = guesses[number % guesses.count]
                    let reply = try server.ask("GET", "/v1/collections/mix", token: token)
                    #expect([400, 401, 429].contains(reply.status), "\(token): \(reply.status)")
                }
            }
        },
        Attack(name: "a flood of requests by one token", wantsTokens: true, rate: 50) { server in
            let statuses = Mutex<[Int: Int]>([:])
            try server.inThreads(4) { _ in
                for _ in 0..<(server.isWhole ? 5_000 : 250) {
                    let reply = try server.ask("GET", "/v1/collections/mix/items/v1", token: server.guest)
                    statuses.withLock { $0[reply.status, default: 0] += 1 }
                    guard reply.status == 429 else { continue }
                    let seconds = reply["Retry-After"].flatMap { Int($0) }
                    #expect(seconds.map { $0 > 0 } == true, "\(reply.fields)")
                }
            }
            let counts = statuses.withLock { $0 }
            #expect(Set(counts.keys) == [200, 429], "\(counts)")
        },
        Attack(name: "going on in the moment of a withdrawal", wantsTokens: true) { server in
            let first = try server.ask("GET", "/v1/collections/mix", token: server.guest)
            let since = try #require(first["Revision"])
            let answered = Mutex<[(started: UInt64, status: Int)]>([])
            let isDone = Atomic(false)
            let ended = DispatchSemaphore(value: 0)
            for index in 0..<8 {
                Thread.detachNewThread {
                    while !isDone.load(ordering: .acquiring) {
                        let started = EventLoop.now()
                        let body = Array(#"{"changes":[{"op":"toggleLike","ids":["v3"]}]}"#.utf8)
                        let reply =
                            try? index % 2 == 0
                            ? server.ask("PATCH", "/v1/collections/mix", token: server.guest, json: body)
                            : server.ask(
                                "GET", "/v1/collections/mix/changes?since=\(since)&wait=1", token: server.guest)
                        guard let reply else { continue }
                        answered.withLock { $0.append((started, reply.status)) }
                    }
                    ended.signal()
                }
            }
            let stream = try EventClient(
                port: server.port, "/v1/collections/mix/events",
                [("Authorization", "Bearer \(try #require(server.guest))")])
            eventually("the guest is answered") { answered.withLock { $0.count } >= 50 }
            try server.revokeGuest()
            try eventually("the guest is refused") {
                try server.ask("GET", "/v1/collections/mix", token: server.guest).status == 401
            }
            let withdrawn = EventLoop.now()
            let before = answered.withLock { $0.count }
            eventually("the guest goes on asking") { answered.withLock { $0.count } >= before + 50 }
            isDone.store(true, ordering: .releasing)
            for _ in 0..<8 { ended.wait() }
            let late = answered.withLock { $0.filter { $0.started > withdrawn } }
            #expect(!late.isEmpty)
            #expect(late.allSatisfy { $0.status == 401 || $0.status == 429 })
            // A stream that goes on would have this wait until its end, which then never comes.
            while try stream.next() != nil {}
        },
    ]

    /// Ways to name the collection `secret`, or something in it.
    private static let pathsToSecret = [
        "/v1/collections/secret", "/v1/collections/secret/", "/v1/collections/secret/items",
        "/v1/collections/secret/items/i", "/v1/collections/secret/changes", "/v1/collections/secret/events",
        "/v1/collections/secret/stores", "/v1/collections/secret/stores/music", "//v1/collections/secret",
        "/v1//collections/secret", "/v1/collections//secret", "/v1/./collections/secret", "/./v1/collections/secret",
        "/v1/collections/mix/../secret", "/v1/collections/mix/%2e%2e/secret", "/v1/collections/mix/%2E%2E/secret",
        "/v1/collections/mix%2f..%2fsecret", "/v1/collections/mix/..%2fsecret", "/v1/collections/mix%5c..%5csecret",
        "/v1/collections/%73ecret", "/v1/collections/s%65cret", "/v1/collections/%2573ecret",
        "/v1/collections/secret%00", "/v1/collections/secret%00mix", "/v1/collections/mix%00/../secret",
        "/v1/collections/secret%20", "/v1/collections/secret%0a", "/v1/collections/secret%2f",
        "/v1/collections/%c0%aesecret", "/v1/collections/%c1%b3ecret", "/v1/collections/%e0%80%afsecret",
        "/v1/collections/%ef%bd%93ecret", "/v1/collections/SECRET", "/v1/collections/secret;mix",
        "/v1/collections/mix;/../secret", "/v1/collections/secret?collection=mix", "/v1/collections/.%2fsecret",
        "http://localhost/v1/collections/secret", "http://localhost//v1/collections/secret",
        "/v1/collections/mix/items/..%2f..%2fsecret", "/v1/collections/mix/stores/../../secret",
    ]
}
