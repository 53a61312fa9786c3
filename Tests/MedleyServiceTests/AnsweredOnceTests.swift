import HTTPCore
import Testing

@testable import MedleyService

/// A poll that is held for a client that has gone by then.
@Suite struct AnsweredOnceTests {
    /// The reply of a connection that has ended: what is held there is told so at once.
    private final class EndedReply: Reply {
        let responses = Collected<Response>()
        private let onHold: @Sendable () -> Void

        init(_ onHold: @escaping @Sendable () -> Void) { self.onHold = onHold }

        func send(_ response: Response) { responses.add(response) }

        func hold(_ held: any HeldRequest) {
            onHold()
            held.peerEnded()
        }

        var loop: any LoopExecutor { CallerLoop.shared }
    }

    @Test(arguments: [false, true])
    func aPollOfAClientThatHasGoneIsAnsweredOnce(ofMany: Bool) async throws {
        let kit = try TokenKit([("boss", .admin, "*"), ("reader", .read, "*")])
        let fixture = await ServiceFixture.withMix(showing: kit.shows("boss")) { $0.access = kit.access }
        let revision = fixture.revision
        let request =
            ofMany
            ? ServiceFixture.request(
                "POST", "/v1/changes", kit.shows("reader"), json: #"{"since":{"mix":"\#(revision)"},"wait":60}"#)
            : ServiceFixture.request(
                "GET", "/v1/collections/mix/changes?since=\(revision)&wait=60", kit.shows("reader"))
        // From then on there is something to tell: that the token is no longer in force.
        let isWithdrawn = Switch()
        let reply = EndedReply {
            if (try? kit.withdraw("reader")) != nil { isWithdrawn.set(true) }
        }
        fixture.service.answer(request, reply)
        #expect(isWithdrawn.isOn)
        #expect(reply.responses.all.map(\.status) == [401])
        #expect(fixture.service.places.counts.polls == 0)
        let route = ofMany ? "/v1/changes" : "/v1/collections/{collection}/changes"
        let metrics = await fixture.send("GET", "/metrics", kit.shows("boss")).text
        #expect(metrics.contains(#"route="\#(route)",status="401"} 1"# + "\n"), "\(metrics)")
    }
}
