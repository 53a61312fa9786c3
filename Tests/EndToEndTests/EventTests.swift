import Foundation
import JSONText
import MedleyCore
import MedleyJSON
import Testing

@testable import MedleyApp

/// Streams of events, over sockets.
@Suite struct EventTests {
    private static let path = "/v1/collections/mix/events"
    private let like = [Change(.toggleLiked(["v1"]))]

    @Test func aStreamBeginsWithEverythingAndTellsEachChange() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let events = try EventClient(port: running.port, Self.path)
        #expect(events.head.status == 200)
        #expect(events.head["Content-Type"] == "text/event-stream")
        #expect(events.head["Cache-Control"] == "no-store")
        #expect(events.head["X-Accel-Buffering"] == "no")
        let retry = try #require(try events.nextBlock())
        #expect(retry.hasPrefix("retry: "))
        #expect((2_000...5_000).contains(Int(retry.dropFirst(7)) ?? 0))

        let start = try #require(try events.next())
        let snapshot = try connection.snapshot("mix")
        #expect(start.name == "reset")
        #expect(start.id == snapshot.revision.description)
        var replica = Replica()
        let answer = try ChangeDecoder().changesAnswer(Array(start.data.utf8))
        #expect(answer.isReset)
        try replica.apply(answer.changes ?? [], isReset: true, to: answer.to)
        for _ in 0..<3 {
            let edit = try connection.patch("mix", like)
            let event = try #require(try events.next())
            #expect(event.name == "changes")
            #expect(event.id == edit.answer?.to.description)
            #expect(event.data == edit.reply.text)
            let answer = try ChangeDecoder().changesAnswer(Array(event.data.utf8))
            try replica.apply(answer.changes ?? [], to: answer.to)
        }
        #expect(
            ChangeEncoder.encoded(replica.snapshot.changesFromNothing())
                == ChangeEncoder.encoded(
                    try Replica(
                        json: try connection.snapshot("mix").json, revision: try connection.snapshot("mix").revision
                    ).snapshot.changesFromNothing()))
    }

    /// A place to start, in the query and in `Last-Event-ID`, and what the first event is then.
    @Test(
        arguments: [
            ("R2", nil, "changes", "R2"), ("R1", nil, "changes", "R1"), ("other-1", nil, "reset", nil),
            ("LIN-99", nil, "reset", nil), ("other-1", "R2", "changes", "R2"), (nil, "R1", "changes", "R1"),
            ("R2", "nonsense", "reset", nil), (nil, "a=b", "reset", nil), (nil, nil, "reset", nil),
        ] as [(String?, String?, String, String?)])
    func theFirstEventSaysWhereTheStreamStarts(_ since: String?, _ last: String?, _ name: String, _ from: String?)
        throws
    {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let first = try connection.snapshot("mix").revision
        let second = try #require(try connection.patch("mix", like).answer?.to)
        func revision(_ text: String) -> String {
            text.replacingOccurrences(of: "R1", with: first.description)
                .replacingOccurrences(of: "R2", with: second.description)
                .replacingOccurrences(of: "LIN", with: first.lineage)
        }
        let query = since.map { "?since=\(revision($0))" } ?? ""
        let events = try EventClient(
            port: running.port, Self.path + query, last.map { [("Last-Event-ID", revision($0))] } ?? [])
        let event = try #require(try events.next())
        #expect(event.name == name)
        #expect(event.from == from.map(revision))
        #expect(event.to == second.description)
        #expect(event.id == second.description)
        if from == "R2" { #expect(event.ops.isEmpty) }
    }

    @Test func whatIsNoStreamIsRefused() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        #expect(try connection.send("GET", "/v1/collections/none/events").status == 404)
        #expect(try connection.send("GET", "\(Self.path)?since=x").status == 400)
        #expect(try connection.send("GET", "\(Self.path)?wait=3").status == 400)
        #expect(try connection.send("GET", Self.path, [("Accept", "application/json")]).status == 406)
        #expect(try connection.send("GET", "/v1/events?since=x").status == 400)
        #expect(try connection.send("GET", "/v1/events?collections=a,,b").status == 400)
        #expect(try connection.send("GET", "/v1/events?collections=-").status == 400)
        let head = try connection.send("HEAD", Self.path)
        #expect(head.status == 200)
        #expect(try connection.send("GET", "/healthz").status == 200)
    }

    @Test func aCollectionThatGoesAndComesBackIsTold() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let events = try EventClient(
            port: running.port, "\(Self.path)?since=\(try connection.snapshot("mix").revision)")
        #expect(try events.next()?.ops == [])
        #expect(try connection.send("DELETE", "/v1/collections/mix").status == 204)
        let gone = try #require(try events.next())
        #expect(gone.name == "gone")
        #expect(gone.data == #"{"collection":"mix"}"#)
        let body = Array(#"{"sections":[{"id":"s"}]}"#.utf8)
        let made = try connection.send("PUT", "/v1/collections/mix", json: body)
        let back = try #require(try events.next())
        #expect(back.name == "reset")
        #expect(back.id == made["Revision"])
        #expect(back.data == made.text)
    }

    @Test func aSlowReaderGetsOneNetDifferenceInPlaceOfABacklog() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let revision = try connection.snapshot("mix").revision
        let events = try EventClient(port: running.port, "\(Self.path)?since=\(revision)", receiveBuffer: 4_096)
        #expect(try events.next()?.ops == [])
        // More than sockets hold, of which the reader takes nothing meanwhile.
        let text = String(repeating: "x", count: 20_000)
        var last = revision
        for number in 0..<400 {
            let change = Change(
                .update([
                    ItemContent(
                        id: "v1", type: nil, liked: nil,
                        model: .init(trusted: Array("\"title\":\"\(text)\",\"n\":\(number)".utf8)))
                ]))
            last = try #require(try connection.patch("mix", [change]).answer?.to)
        }
        var count = 0
        var bytes = 0
        var position = revision.description
        while position != last.description {
            let event = try #require(try events.next())
            #expect(event.from == position)
            position = try #require(event.to)
            count += 1
            bytes += event.data.utf8.count
        }
        #expect(count < 300, "\(count) events")
        #expect(bytes < 300 * 20_000)
    }

    @Test func aResetLongerThanABufferComesWhole() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let text = String(repeating: "y", count: 1_000)
        let items = (0..<3_000).map {
            ItemContent(
                id: ItemID("big\($0)"), type: ItemType("music"), liked: nil,
                model: .init(trusted: Array("\"title\":\"\(text)\"".utf8)))
        }
        _ = try connection.patch("mix", [Change(.insert(items, at: .last(in: nil)))])
        let events = try EventClient(port: running.port, Self.path)
        let event = try #require(try events.next())
        let body = try connection.send("GET", "/v1/collections/mix/changes").body
        #expect(Array(event.data.utf8) == body)
        _ = try connection.patch("mix", like)
        #expect(try events.next()?.ops == ["update"])
    }

    @Test func aDifferenceThatIsTooLongForEachStreamIsAReset() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let text = String(repeating: "y", count: 2_000)
        func items(_ count: Int, _ word: String) -> [ItemContent] {
            (0..<count).map {
                ItemContent(
                    id: ItemID("big\($0)"), type: ItemType("music"), liked: nil,
                    model: .init(trusted: Array("\"title\":\"\(word)\(text)\"".utf8)))
            }
        }
        let since = try connection.patch("mix", [Change(.insert(items(900, "a"), at: .last(in: nil)))]).answer?.to
        let revision = try #require(since)
        _ = try connection.patch("mix", [Change(.update(items(600, "b")))])
        let events = try EventClient(port: running.port, "\(Self.path)?since=\(revision)")
        #expect(try events.next()?.name == "reset")
        // A poll is told the changes: they are shorter than the snapshot.
        #expect(try connection.changes("mix", since: revision).isReset == false)
    }

    // MARK: Many collections

    @Test func oneStreamTellsOfSeveralAndSaysWhereItStarts() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let (mix, frameworks) = (
            try connection.snapshot("mix").revision, try connection.snapshot("frameworks").revision
        )
        let events = try EventClient(port: running.port, "/v1/events?collections=mix,frameworks,later")
        var starts: [String: EventClient.Event] = [:]
        for _ in 0..<3 {
            let event = try #require(try events.next())
            starts[event.collection ?? ""] = event
        }
        #expect(starts["mix"]?.from == mix.description && starts["mix"]?.ops == [])
        #expect(starts["frameworks"]?.to == frameworks.description)
        #expect(starts["later"]?.name == "gone")

        let edit = try connection.patch("mix", like)
        let event = try #require(try events.next())
        #expect(event.data == #"{"collection":"mix","# + edit.reply.text.dropFirst())
        #expect(event.id == "frameworks=\(frameworks),mix=\(try #require(edit.answer?.to))")
        // Others are not told of, and one that appears is.
        _ = try connection.send("DELETE", "/v1/collections/characters")
        _ = try connection.send("PUT", "/v1/collections/later", json: Array("{}".utf8))
        let appeared = try #require(try events.next())
        #expect(appeared.name == "reset")
        #expect(appeared.collection == "later")

        // A client that comes back goes on where it was.
        let last = try #require(event.id)
        let whileAway = try connection.patch("mix", like)
        let again = try EventClient(
            port: running.port, "/v1/events?collections=mix,frameworks", [("Last-Event-ID", last)])
        let first = try (0..<2).compactMap { _ in try again.next() }
        #expect(first.first { $0.collection == "mix" }?.from == edit.answer?.to.description)
        #expect(first.first { $0.collection == "mix" }?.to == whileAway.answer?.to.description)
        #expect(first.first { $0.collection == "frameworks" }?.ops == [])
    }

    @Test func ofTooManyCollectionsNoIdIsLeftInTheClientsMind() throws {
        let running = try RunningServer()
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        for number in 0..<70 { _ = try connection.send("PUT", "/v1/collections/c\(number)", json: Array("{}".utf8)) }
        let events = try EventClient(port: running.port, "/v1/events")
        for _ in 0..<70 { #expect(try events.next()?.id == "") }
        // With fewer of them there is one again.
        for number in 0..<10 { _ = try connection.send("DELETE", "/v1/collections/c\(number)") }
        for _ in 0..<10 { #expect(try events.next()?.name == "gone") }
        _ = try connection.send("PUT", "/v1/collections/c69", json: Array(#"{"title":"T"}"#.utf8))
        #expect(try events.next()?.id?.split(separator: ",").count == 60)
    }

    @Test func whoComesBackWithManyKeepsItsPlaceFromTheFirstEventOn() throws {
        let running = try RunningServer()
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        for number in 0..<40 { _ = try connection.send("PUT", "/v1/collections/c\(number)", json: Array("{}".utf8)) }
        let events = try EventClient(port: running.port, "/v1/events")
        var last = ""
        for _ in 0..<40 { last = try #require(try events.next()?.id) }
        #expect(last.split(separator: ",").count == 40)
        let again = try EventClient(port: running.port, "/v1/events", [("Last-Event-ID", last)])
        for _ in 0..<40 { #expect(try again.next()?.id == last) }
    }

    @Test(arguments: ["nonsense", "a=b", "mix"])
    func anIdOfManyThatCannotBeReadBeginsAnew(_ last: String) throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let events = try EventClient(port: running.port, "/v1/events?collections=mix", [("Last-Event-ID", last)])
        #expect(try events.next()?.name == "reset")
    }

    @Test func aStreamOfAllTellsOfWhatComesAndGoes() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let connection = try running.connect()
        let events = try EventClient(port: running.port, "/v1/events")
        let starts = try (0..<3).compactMap { _ in try events.next() }
        #expect(Set(starts.compactMap(\.collection)) == ["mix", "frameworks", "characters"])
        #expect(starts.allSatisfy { $0.name == "changes" && $0.ops.isEmpty })
        _ = try connection.send("PUT", "/v1/collections/new", json: Array("{}".utf8))
        #expect(try events.next()?.name == "reset")
        _ = try connection.send("DELETE", "/v1/collections/new")
        let gone = try #require(try events.next())
        #expect(gone.name == "gone" && gone.collection == "new")
    }

    // MARK: The end

    @Test func aStopSendsByeToEach() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        let clients = try (0..<40).map { _ in try EventClient(port: running.port, Self.path) }
        for client in clients { #expect(try client.next()?.name == "reset") }
        let isStopped = HeldPollTests.stop(running)
        for client in clients {
            #expect(try client.next()?.name == "bye")
            #expect(try client.next() == nil)
            client.client.reset()
        }
        #expect(isStopped())
    }

    @Test func streamsThatGoFreeTheirPlaces() throws {
        let running = try RunningServer(["--sample"])
        defer { withExtendedLifetime(running) {} }
        var clients = try (0..<200).map { _ in try EventClient(port: running.port, "/v1/events") }
        try HeldPollTests.waitForHeld(200, of: "medley_event_streams", running)
        for client in clients.prefix(100) { client.client.reset() }
        clients = []
        try HeldPollTests.waitForHeld(0, of: "medley_event_streams", running)
    }
}
