import Dispatch
import HTTPCore
import Journal
import MedleyCore
import Testing

@testable import MedleyService

/// Streams, when more than one collection is published at once.
@Suite struct PublishedTogetherTests {
    /// Stands in for a stream's connection: the test asks for what there is.
    private struct NoConnection: LiveConnection {
        var loop: any LoopExecutor { CallerLoop.shared }

        func wake() {}
    }

    private static let like = #"{"changes":[{"op":"toggleLike","ids":["v1"]}]}"#

    private func stream(_ target: String, _ fixture: ServiceFixture) throws -> any LiveStream {
        let response = try #require(fixture.response(target))
        guard case .live(let stream) = response.body else { throw TestClient.Failure(message: "no stream") }
        stream.began(NoConnection())
        return stream
    }

    private func text(_ stream: any LiveStream) -> String {
        var bytes: [UInt8] = []
        while case .piece(let piece) = stream.next() { bytes += piece.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Has `mix` and `other` edited by one batch of the committer, which edits that wait for the one before it become.
    private func editTogether(_ fixture: ServiceFixture, _ journal: GatedJournal) async {
        journal.shut()
        let first = fixture.begin("PATCH", "/v1/collections/third", json: Self.like)
        journal.hasBegun.wait()
        let together = ["mix", "other"].map { fixture.begin("PATCH", "/v1/collections/\($0)", json: Self.like) }
        journal.gate.signal()
        for answers in [first] + together { for await answer in answers { #expect(answer.status == 200) } }
    }

    @Test(
        arguments: [
            ("/v1/collections/mix/events", ["mix"]), ("/v1/events?collections=mix", ["mix"]),
            ("/v1/events?collections=mix,other", ["mix", "other"]), ("/v1/events", ["mix", "other", "third"]),
        ])
    func aStreamTellsOnlyOfWhatItFollows(_ target: String, _ followed: [String]) async throws {
        let journal = GatedJournal()
        let fixture = await ServiceFixture.withMix(journal: journal)
        for collection in ["other", "third"] {
            #expect(await LimitProbe.put(ServiceFixture.mix, as: collection, fixture).status == 201)
        }
        let stream = try stream(target, fixture)
        defer { stream.ended() }
        _ = text(stream)
        let published = Collected<Int>()
        let switchboard = fixture.service.switchboard
        fixture.library.whenPublished { collections in
            published.add(collections.count)
            switchboard.published(collections)
        }
        await editTogether(fixture, journal)
        #expect(published.all == [1, 2])
        let told = text(stream)
        #expect(!told.contains("reset"))
        for collection in ["mix", "other", "third"] {
            let revision = try #require(fixture.library.snapshot(of: collection)).revision.description
            #expect(told.contains("\"to\":\"\(revision)\"") == followed.contains(collection), "\(collection): \(told)")
        }
    }
}
