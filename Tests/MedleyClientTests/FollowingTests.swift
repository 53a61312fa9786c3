import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import Testing

@testable import MedleyClient

@Suite struct FollowingTests {
    private static let start = ["connected", "reset nothing → a-1 x y"]

    /// The first events that a script leads to.
    private func events(
        _ server: ScriptedServer, _ count: Int, from snapshot: Snapshot? = nil
    ) async throws -> [String] {
        var iterator = try server.collection.events(from: snapshot).makeAsyncIterator()
        var events: [String] = []
        while events.count < count, let event = try await iterator.next() { events.append(event.brief) }
        return events
    }

    private func targets(_ server: ScriptedServer) -> [String] {
        server.requests.map {
            $0.url.replacingOccurrences(of: "http://h/v1/collections/mix/changes?reset=inline", with: "")
        }
    }

    @Test func everythingComesFirstAndThenWhatChanged() async throws {
        let server = ScriptedServer([.answers(.everything), .answers(.xGoes, after: 9)])
        #expect(try await events(server, 3) == Self.start + ["updated 1 a-1 x y → a-2 y"])
        #expect(targets(server) == ["", "&since=a-1&wait=25"])
        #expect(server.requests.map(\.hold) == [0, 25])
        #expect(server.pauses.isEmpty)
    }

    @Test func aLostServerIsAskedAgainAfterPausesThatGrow() async throws {
        let server = ScriptedServer([
            .answers(.everything), .isLost, .isLost, .isLost, .answers(.changes("a-1", "a-1", "[]")), .answers(.xGoes),
        ])
        #expect(
            try await events(server, 7) == Self.start + [
                "disconnected unreachable 0.25", "disconnected unreachable 0.5", "disconnected unreachable 1.0",
                "connected", "updated 1 a-1 x y → a-2 y",
            ])
        #expect(server.pauses == [0.25, 0.5, 1])
        // The first answer after a loss is not waited for.
        #expect(targets(server).suffix(3) == ["&since=a-1", "&since=a-1", "&since=a-1&wait=25"])
    }

    @Test func pausesEndAtTheLongestAndBeginAgainAfterAnAnswer() async throws {
        let server = ScriptedServer(
            [.answers(.everything)] + Array(repeating: .isLost, count: 10)
                + [.answers(.changes("a-1", "a-1", "[]")), .isLost])
        _ = try await events(server, 14)
        #expect(server.pauses == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        #expect(try await events(ScriptedServer([.isLost]), 1) == ["disconnected unreachable 0.25"])
    }

    @Test(arguments: [
        (503, "overloaded", "7", 7.25), (429, "too-many-requests", "0", 0.25), (503, "shutting-down", nil, 0.25),
        (500, "internal", nil, 0.25), (408, "request-timeout", nil, 0.25), (503, "overloaded", "nonsense", 0.25),
        (503, "overloaded", "Sun, 06 Nov 1994 08:49:37 GMT", 0.25), (503, "overloaded", "90000", 3_600.25),
    ])
    func aServerWithoutTimeIsLeftAloneForAsLongAsItAsks(
        status: Int, code: String, retryAfter: String?, pause: Double
    ) async throws {
        let server = ScriptedServer([
            .answers(.everything), .answers(.problem(status, code, retryAfter: retryAfter)),
            .answers(.changes("a-1", "a-1", "[]")),
        ])
        #expect(try await events(server, 4) == Self.start + ["disconnected \(code) \(pause)", "connected"])
        #expect(server.pauses == [pause])
    }

    @Test func aDateOfRetryAfterIsUnderstood() {
        let response = ClientResponse(status: 503, headers: ["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(RetryAfter.seconds(response, now: Date(timeIntervalSince1970: 784_111_770)) == 7)
    }

    @Test func aDeletedCollectionIsToldOnceAndWaitedFor() async throws {
        let server = ScriptedServer([
            .answers(.everything), .answers(.notFound), .answers(.notFound), .answers(.notFound),
            .answers(.changes(nil, "b-1", "[]")),
            .answers(.changes("b-1", "b-2", #"[{"op":"insertSection","sections":[{"id":"s","title":""}]}]"#)),
        ])
        #expect(
            try await events(server, 5) == Self.start + ["gone", "reset nothing → b-1 ", "updated 1 b-1  → b-2 "])
        #expect(targets(server).suffix(3) == ["", "", "&since=b-1&wait=25"])
        #expect(server.pauses == [0.25, 0.5, 1])
    }

    @Test func aCollectionThatIsNotThereYetIsWaitedFor() async throws {
        let server = ScriptedServer(Array(repeating: .answers(.notFound), count: 8) + [.answers(.everything)])
        #expect(try await events(server, 3) == ["connected", "gone", "reset nothing → a-1 x y"])
        #expect(server.pauses == [0.25, 0.5, 1, 2, 4, 5, 5, 5])
    }

    @Test func anotherLineageIsAResetInPlace() async throws {
        let server = ScriptedServer([
            .answers(.everything),
            .answers(.changes(nil, "b-7", #"[{"op":"insertSection","sections":[{"id":"t","title":""}]}]"#)),
        ])
        #expect(try await events(server, 3) == Self.start + ["reset a-1 x y → b-7 "])
    }

    @Test(
        arguments: [
            (.changes("a-1", "a-2", #"[{"op":"delete","ids":["z"]}]"#), "inconsistent"),
            (.changes("a-9", "a-2", "[]"), "inconsistent"), (.changes("a-2", "a-3", "[]"), "inconsistent"),
            (.changes("b-1", "b-2", "[]"), "inconsistent"),
            (ClientResponse(status: 200, body: Array(#"{"from":"a-1","to":"a-2"}"#.utf8)), "inconsistent"),
            (ClientResponse(status: 200, body: Array("<html>".utf8)), "notMedley"),
            (.changes("a-1", "a-2", #"[{"op":"dance"}]"#), "notMedley"),
            (.problem(410, "lineage-changed", #","current":"b-1""#), "lineage-changed"),
            (.problem(410, "revision-gone"), "revision-gone"), (.problem(410, "revision-unknown"), "revision-unknown"),
        ] as [(ClientResponse, String)])
    func whatDoesNotFitIsReportedAndReplacedByAReset(_ misfit: ClientResponse, reason: String) async throws {
        let server = ScriptedServer([.answers(.everything), .answers(misfit), .answers(.everything), .answers(.xGoes)])
        #expect(
            try await events(server, 5) == Self.start + [
                "resynchronizing \(reason)", "reset a-1 x y → a-1 x y", "updated 1 a-1 x y → a-2 y",
            ])
        #expect(targets(server) == ["", "&since=a-1&wait=25", "", "&since=a-1&wait=25"])
        #expect(server.pauses.isEmpty)
    }

    @Test func aServerThatNeverFitsIsNotAskedWithoutABreak() async throws {
        let misfit = ScriptedServer.Line.answers(.changes("a-9", "a-2", "[]"))
        let server = ScriptedServer([
            .answers(.everything), misfit, .answers(.everything), misfit, .answers(.everything), misfit, misfit, misfit,
            .answers(.everything), .answers(.xGoes), .answers(.changes("a-1", "a-1", "[]")), .answers(.everything),
        ])
        _ = try await events(server, 13)
        #expect(server.pauses == [0.25, 0.5, 1, 2])
    }

    private static func plainRefusal(_ status: Int) -> ClientResponse {
        ClientResponse(status: status, body: Array("<html>".utf8))
    }

    @Test(arguments: [403, 404, 304])
    func aRefusalThatIsNoWordOfAServerThatHasAnsweredIsALoss(_ status: Int) async throws {
        let refusal = Self.plainRefusal(status)
        let code = status == 403 ? "forbidden" : "notMedley"
        let server = ScriptedServer([
            .answers(.everything), .answers(refusal), .answers(refusal), .answers(.xGoes),
        ])
        #expect(
            try await events(server, 6) == Self.start + [
                "disconnected \(code) 0.25", "disconnected \(code) 0.5", "connected", "updated 1 a-1 x y → a-2 y",
            ])
        #expect(targets(server) == ["", "&since=a-1&wait=25", "&since=a-1", "&since=a-1"])
    }

    @Test(
        arguments: [
            (401, .unauthenticated), (403, .forbidden), (404, .notMedley), (304, .notMedley),
        ] as [(Int, ClientError.Code)])
    func aPlainRefusalAtFirstEndsTheSequence(_ status: Int, _ code: ClientError.Code) async throws {
        let server = ScriptedServer([.answers(Self.plainRefusal(status))])
        let error = await #expect(throws: ClientError.self) { try await events(server, 1) }
        #expect(error?.code == code)
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            .problem(403, "forbidden"), .problem(400, "invalid-query"), .problem(404, "not-found"),
        ] as [ClientResponse])
    func aRefusalThatNoWaitWillChangeEndsTheSequence(_ refusal: ClientResponse) async throws {
        let server = ScriptedServer([.answers(.everything), .answers(refusal)])
        var iterator = try server.collection.events().makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await iterator.next()
        await #expect(throws: ClientError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 2)
    }

    @Test func anAnswerWithoutNewsBeforeItsTimeIsFollowedByAPause() async throws {
        let nothing = ClientResponse.changes("a-1", "a-1", "[]")
        let server = ScriptedServer([
            .answers(.everything), .answers(nothing, after: 1), .answers(nothing, after: 1),
            .answers(nothing, after: 25),
            .answers(nothing, after: 25), .answers(nothing, after: 1), .answers(.xGoes, after: 1),
        ])
        #expect(try await events(server, 3) == Self.start + ["updated 1 a-1 x y → a-2 y"])
        #expect(server.pauses == [0.25, 0.5, 0.25])
    }

    @Test func aReaderThatHoldsASnapshotIsToldWhatChangedSinceThen() async throws {
        let first = ScriptedServer([.answers(.everything)])
        let held = try #require(try await first.collection.snapshot())
        #expect(held.brief == "a-1 x y")
        let server = ScriptedServer([.answers(.xGoes)])
        #expect(try await events(server, 2, from: held) == ["connected", "updated 1 a-1 x y → a-2 y"])
        #expect(targets(server) == ["&since=a-1"])
    }

    @Test func theCollectionItselfGivesSnapshotsAndUpdatesTheirChanges() async throws {
        let script: [ScriptedServer.Line] = [.answers(.everything), .isLost, .answers(.xGoes)]
        var snapshots: [String] = []
        for try await snapshot in try ScriptedServer(script).collection {
            snapshots.append(snapshot.brief)
            if snapshots.count == 2 { break }
        }
        #expect(snapshots == ["a-1 x y", "a-2 y"])
        var changes: [[Change]] = []
        for try await update in try ScriptedServer(script).collection.updates() {
            changes.append(update.changes)
            if changes.count == 2 { break }
        }
        #expect(changes.last == [Change(.delete(["x"]))])
        #expect(changes.first?.count == 2)
    }

    @Test func deletionsAreNotKept() async throws {
        let server = ScriptedServer([.answers(.everything), .answers(.xGoes)])
        var last: Snapshot?
        for try await snapshot in try server.collection {
            last = snapshot
            if server.requests.count == 2 { break }
        }
        #expect(last?.brief == "a-2 y")
        #expect(last?.keptDeletionCount == 0)
    }

    @Test func cancellationEndsTheRequestAndTheSequence() async throws {
        let server = ScriptedServer([.answers(.everything)])
        let collection = try server.collection
        let task = Task {
            var count = 0
            for try await _ in collection { count += 1 }
            return count
        }
        var held = server.held.makeAsyncIterator()
        #expect(await held.next()?.hold == 25)
        task.cancel()
        #expect(try await task.value == 1)
    }

    @Test(arguments: ["", "..", "a/b", "-a", "é", String(repeating: "a", count: 129)])
    func anIdThatNoCollectionHasIsRefusedUnsent(_ id: String) async throws {
        let server = ScriptedServer([])
        let collection = try #require(server.client).collection(id)
        await #expect(throws: ClientError.self) { try await collection.snapshot() }
        await #expect(throws: ClientError.self) { try await collection.delete(["x"]) }
        await #expect(throws: ClientError.self) { for try await _ in collection {} }
        #expect(server.requests.isEmpty)
    }
}
