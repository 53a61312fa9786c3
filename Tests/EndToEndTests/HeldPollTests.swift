import Foundation
import MedleyCore
import MedleyJSON
import Synchronization
import Testing

@testable import MedleyApp

/// Polls that wait for a change, over sockets.
@Suite struct HeldPollTests {
    private static let path = "/v1/collections/mix/changes"

    private func poll(
        _ client: TestClient, _ query: String, _ headers: [(String, String)] = []
    ) throws {
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        try client.send("GET \(Self.path)?\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    }

    /// Waits until so many polls are held, and leaves the thread to others meanwhile.
    static func untilHeld(_ count: Int, _ running: RunningServer) async throws {
        // Looks are counted, not seconds: among many tests this task may not have its turn for a minute.
        for _ in 0..<6_000 {
            if try running.connect().send("GET", "/metrics").text.contains("\nmedley_held_requests \(count)\n") {
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("there never were \(count) held polls")
    }

    /// Waits until so many polls are held.
    static func waitForHeld(_ count: Int, of name: String = "medley_held_requests", _ running: RunningServer) throws {
        let connection = try running.connect()
        let deadline = Date(timeIntervalSinceNow: 60)
        while try !connection.send("GET", "/metrics").text.contains("\n\(name) \(count)\n") {
            try #require(Date() < deadline, "there never were \(count) \(name)")
            usleep(1_000)
        }
    }

    /// Stops a server on another thread; the result waits for the end and says whether all was answered.
    static func stop(_ running: RunningServer) -> () -> Bool {
        let result = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let isDrained = running.server.stop(grace: 20)
            result.withLock { $0 = isDrained }
            done.signal()
        }
        return {
            done.wait()
            return result.withLock { $0 }
        }
    }

    private let like = [Change(.toggleLiked(["v1"]))]

    @Test func aPollIsHeldUntilSomethingChanges() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let client = try TestClient(port: running.port)
        let revision = try connection.snapshot("mix").revision
        try poll(client, "since=\(revision)&wait=20")
        try Self.waitForHeld(1, running)
        let edit = try connection.patch("mix", like)
        let reply = try client.receive()
        #expect(reply.status == 200)
        #expect(reply["Cache-Control"] == "no-store")
        #expect(reply["Revision"] == edit.answer?.to.description)
        #expect(try ChangeDecoder().changesAnswer(reply.body) == edit.answer)
        try Self.waitForHeld(0, running)
        // And the connection goes on.
        try poll(client, "since=\(revision)&wait=20")
        #expect(try client.receive().body == reply.body)
    }

    @Test func thereIsAnAnswerWhenTheTimeIsOver() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let revision = try running.connect().snapshot("mix").revision
        let client = try TestClient(port: running.port)
        try poll(client, "since=\(revision)&wait=0.1")
        let reply = try client.receive()
        #expect(reply.status == 200)
        #expect(reply.text == #"{"from":"\#(revision)","to":"\#(revision)","changes":[]}"#)
        try poll(client, "since=\(revision)&wait=0.1", [("If-None-Match", "\"\(revision)\"")])
        #expect(try client.receive().status == 304)
    }

    /// A query, and the status and code of the answer that comes at once.
    @Test(arguments: [
        ("since=R", 200, ""), ("since=R&wait=0", 200, ""), ("wait=30", 200, ""),
        ("since=LIN-99&wait=30", 410, "unknown"),
        ("since=other-1&wait=30", 410, "lineage"), ("since=LIN-99&wait=30&reset=inline", 200, "reset"),
        ("since=R&wait=x", 400, "invalid-query"), ("since=R&wait=-1", 400, "invalid-query"),
        ("since=R&wait=", 400, "invalid-query"), ("since=R&wait=1e", 400, "invalid-query"),
        ("since=R&wait=1e-05", 200, ""), ("since=R&wait=0.0E+9", 200, ""), ("since=R&wait=.5", 400, "invalid-query"),
        ("since=R&wait=0x1", 400, "invalid-query"), ("since=R&wait=1.e1", 400, "invalid-query"),
        ("since=&wait=30", 400, "invalid-revision"), ("since=R&wait=30&wait=30", 400, "invalid-query"),
    ])
    func whatNeedNotWaitIsAnsweredAtOnce(_ query: String, _ status: Int, _ text: String) throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let revision = try running.connect().snapshot("mix").revision
        let client = try TestClient(port: running.port)
        let query = query.replacingOccurrences(of: "LIN", with: revision.lineage)
            .replacingOccurrences(of: "=R", with: "=\(revision)")
        try poll(client, query)
        let reply = try client.receive()
        #expect(reply.status == status, "\(reply.text)")
        #expect(text.isEmpty || reply.text.contains(text), "\(reply.text)")
        if query.contains("wait=30"), status != 400 { #expect(reply["Cache-Control"] == "no-store") }
    }

    @Test func whoPollsADeletedCollectionIsTold() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let client = try TestClient(port: running.port)
        try poll(client, "since=\(try connection.snapshot("mix").revision)&wait=20")
        try Self.waitForHeld(1, running)
        #expect(try connection.send("DELETE", "/v1/collections/mix").status == 204)
        #expect(try client.receive().status == 404)
    }

    @Test func aClientThatGoesFreesItsPlace() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let revision = try running.connect().snapshot("mix").revision
        for round in 0..<2 {
            var clients: [TestClient] = []
            for _ in 0..<200 {
                let client = try TestClient(port: running.port)
                try poll(client, "since=\(revision)&wait=60")
                clients.append(client)
            }
            try Self.waitForHeld(200, running)
            if round == 0 { for client in clients { client.reset() } }
            clients = []
            try Self.waitForHeld(0, running)
        }
    }

    @Test func aStopAnswersWhatIsHeld() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let revision = try running.connect().snapshot("mix").revision
        let clients = try (0..<50).map { _ in
            let client = try TestClient(port: running.port)
            try poll(client, "since=\(revision)&wait=60")
            return client
        }
        try Self.waitForHeld(50, running)
        let isStopped = Self.stop(running)
        for client in clients {
            let reply = try client.receive()
            #expect(reply.status == 200)
            #expect(reply.text.contains(#""changes":[]"#))
            client.reset()
        }
        #expect(isStopped())
    }

    /// Rounds of the race; `MEDLEY_LIVE_ROUNDS`, else 500. Issue to repeat: 20,000.
    private static let rounds =
        ProcessInfo.processInfo.environment["MEDLEY_LIVE_ROUNDS"].flatMap { Int($0) } ?? 500

    /// An edit just before, at and just after a poll's registration: each is told, once, and at once.
    @Test func noEditIsMissedAroundTheRegistration() throws {
        print("MEDLEY_SEED=\(SeededGenerator.seed)")
        var generator = SeededGenerator(SeededGenerator.seed)
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let client = try TestClient(port: running.port)
        var since = try connection.snapshot("mix").revision
        let turn = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let delay = Mutex<UInt32?>(nil)
        let answers = Mutex<[Revision]>([])
        let editor = Thread {
            guard let connection = try? running.connect() else { return }
            while true {
                turn.wait()
                guard let delay = delay.withLock({ $0 }) else {
                    done.signal()
                    return
                }
                if delay > 0 { usleep(delay) }
                let answer = try? connection.patch("mix", [Change(.toggleLiked(["v1"]))]).answer
                answers.withLock { if let answer { $0.append(answer.to) } }
                done.signal()
            }
        }
        editor.start()
        for round in 0..<Self.rounds {
            delay.withLock { $0 = UInt32.random(in: 0...2_000, using: &generator) }
            turn.signal()
            if round % 3 == 1 { usleep(UInt32.random(in: 0...2_000, using: &generator)) }
            let start = Date()
            try poll(client, "since=\(since)&wait=60")
            let answer = try ChangeDecoder().changesAnswer(try client.receive().body)
            // It has the one edit, and came because of it, not of the time limit.
            try #require(answer.from == since && answer.to.number == since.number + 1, "round \(round): \(answer)")
            try #require(answer.changes?.count == 1)
            try #require(Date().timeIntervalSince(start) < 30, "round \(round) waited for its time limit")
            done.wait()
            since = answer.to
            try #require(answers.withLock { $0.last } == since)
        }
        delay.withLock { $0 = nil }
        turn.signal()
        done.wait()
    }

    // MARK: Many collections

    private func post(_ connection: ServerConnection, _ json: String) throws -> TestClient.Reply {
        try connection.send("POST", "/v1/changes", json: Array(json.utf8))
    }

    @Test func onePollTellsOfEachCollectionThatMoved() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let (mix, frameworks) = (
            try connection.snapshot("mix").revision, try connection.snapshot("frameworks").revision
        )
        let since = #"{"since":{"mix":"\#(mix)","frameworks":"\#(frameworks)"}"#
        #expect(try post(connection, since + "}").text == #"{"collections":{}}"#)
        let edit = try connection.patch("mix", like)
        let reply = try post(connection, since + #","wait":30}"#)
        #expect(reply.text == #"{"collections":{"mix":\#(edit.reply.text)}}"#)
        #expect(reply["Cache-Control"] == "no-store")

        // One that is unknown, one of another lineage and one from nothing, each with its own, beside the one that moved.
        let mixed = try post(
            connection,
            #"{"wait":30,"since":{"nothing":"a-1","frameworks":"other-1","mix":"\#(mix)","characters":null}}"#)
        let collections = try #require(
            (try JSONSerialization.jsonObject(with: Data(mixed.body)) as? [String: Any])?["collections"]
                as? [String: [String: Any]])
        #expect(collections["nothing"]?["type"] as? String == "/problems/collection-not-found")
        #expect(collections["frameworks"]?["type"] as? String == "/problems/lineage-changed")
        #expect(collections["frameworks"]?["current"] as? String == frameworks.description)
        #expect(collections["mix"]?["to"] as? String == edit.answer?.to.description)
        #expect(collections["characters"]?["reset"] as? Bool == true)
    }

    @Test func aPollOfManyIsHeldUntilOneMoves() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let (mix, frameworks) = (
            try connection.snapshot("mix").revision, try connection.snapshot("frameworks").revision
        )
        let client = try TestClient(port: running.port)
        func send(_ wait: String) throws {
            let body = #"{"since":{"mix":"\#(mix)","frameworks":"\#(frameworks)"},"wait":\#(wait)}"#
            try client.send(
                "POST /v1/changes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        try send("30")
        try Self.waitForHeld(1, running)
        let edit = try connection.patch("mix", like)
        #expect(try client.receive().text == #"{"collections":{"mix":\#(edit.reply.text)}}"#)
        try Self.waitForHeld(0, running)
    }

    @Test func aPollOfManyTakesASmallBody() throws {
        let running = try RunningServer()
        defer { withExtendedLifetime(running) {} }
        let names = (0..<30_000).map { #""c\#($0)":null"# }.joined(separator: ",")
        #expect(try post(running.connect(), #"{"since":{\#(names)}}"#).status == 413)
        let many = (0..<1_001).map { #""c\#($0)":null"# }.joined(separator: ",")
        #expect(try post(running.connect(), #"{"since":{\#(many)}}"#).status == 400)
    }

    @Test(arguments: [
        ("{}", "since"), ("[]", "object"), (#"{"since":[]}"#, "object"), (#"{"since":{"a":1}}"#, "revision"),
        (#"{"since":{"a":"b"}}"#, "revision"), (#"{"since":{},"wait":"5"}"#, "wait"),
        (#"{"since":{},"wait":-1}"#, "wait"),
        (#"{"since":{},"reset":"x"}"#, "inline"), (#"{"since":{},"more":1}"#, "only"),
    ])
    func aPollOfManyThatIsNoneIsRefused(_ body: String, _ text: String) throws {
        let running = try RunningServer()
        defer { withExtendedLifetime(running) {} }
        let reply = try post(running.connect(), body)
        #expect(reply.status == 400)
        #expect(reply.text.contains(text), "\(reply.text)")
    }
}
