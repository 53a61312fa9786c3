import Foundation
import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON
import Synchronization

/// Answers requests by a script, without a network or a clock that runs: what there is no line for is held for ever.
final class ScriptedServer: Sendable {
    enum Line: Sendable {
        case answers(ClientResponse, after: Double)
        case isLost

        static func answers(_ response: ClientResponse) -> Line { .answers(response, after: 0) }
    }

    private struct State {
        var lines: [Line]
        var requests: [ClientRequest] = []
        var pauses: [Double] = []
        var now = ContinuousClock.now
    }

    private let state: Mutex<State>
    /// Told of each request that is held for ever.
    let held: AsyncStream<ClientRequest>
    private let holding: AsyncStream<ClientRequest>.Continuation

    init(_ lines: [Line]) {
        state = Mutex(State(lines: lines))
        (held, holding) = AsyncStream.makeStream()
    }

    var requests: [ClientRequest] { state.withLock { $0.requests } }
    /// The pauses that were made, in seconds; chance always gave the longest.
    var pauses: [Double] { state.withLock { $0.pauses } }

    var retries: RetryPolicy {
        RetryPolicy(
            random: { $0 }, sleep: { seconds in self.state.withLock { $0.pauses.append(seconds) } },
            now: { self.state.withLock { $0.now } })
    }

    var transport: ClientTransport {
        ClientTransport { request throws(ClientError) in
            let line = self.state.withLock { state in
                state.requests.append(request)
                return state.lines.isEmpty ? nil : state.lines.removeFirst()
            }
            switch line {
            case .answers(let response, let seconds):
                self.state.withLock { $0.now += .seconds(seconds) }
                return response
            case .isLost: throw ClientError(.unreachable, "lost")
            case nil:
                self.holding.yield(request)
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
                throw ClientError(.cancelled, "cancelled")
            }
        }
    }

    var client: MedleyClient? {
        URL(string: "http://h/p/").map { MedleyClient(url: $0, transport: transport, retries: retries) }
    }

    var collection: CollectionClient {
        get throws {
            try CollectionClient(
                url: CollectionURL("http://h/v1/collections/mix"), transport: transport, retries: retries)
        }
    }
}

extension ClientResponse {
    /// `{"from":…,"to":…,"changes":…}`; without `from` a reset.
    static func changes(_ from: String?, _ to: String, _ changes: String) -> ClientResponse {
        let opening = from.map { #"{"from":"\#($0)","# } ?? #"{"from":null,"reset":true,"#
        return ClientResponse(status: 200, body: Array(#"\#(opening)"to":"\#(to)","changes":\#(changes)}"#.utf8))
    }

    /// A problem of the service.
    static func problem(
        _ status: Int, _ code: String, _ members: String = "", retryAfter: String? = nil
    ) -> ClientResponse {
        ClientResponse(
            status: status, headers: retryAfter.map { ["retry-after": $0] } ?? [:],
            body: Array(#"{"type":"/problems/\#(code)","title":"T","status":\#(status),"detail":"D"\#(members)}"#.utf8))
    }

    /// Everything at `a-1`: a section `s` with the items `x` and `y`.
    static let everything = changes(
        nil, "a-1",
        #"[{"op":"insertSection","sections":[{"id":"s","title":"S"}]},{"op":"insert","section":"s","items":[{"id":"x","type":"music","liked":false,"title":"X"},{"id":"y","type":"music","liked":false}]}]"#
    )
    /// From `a-1` to `a-2`: `x` goes.
    static let xGoes = changes("a-1", "a-2", #"[{"op":"delete","ids":["x"]}]"#)
    static let notFound = problem(404, "collection-not-found")
}

extension Snapshot {
    /// The revision and the items' ids in order.
    var brief: String {
        "\(revision) " + orderedSections.flatMap { $0.items().map { "\($0.id)" } }.joined(separator: " ")
    }
}

extension CollectionEvent {
    /// The event in a few words.
    var brief: String {
        switch self {
        case .connected: "connected"
        case .disconnected(let error, let seconds):
            "disconnected \(error.problem?.code ?? error.code.rawValue) \(seconds)"
        case .updated(let update):
            "\(update.isReset ? "reset" : "updated \(update.changes.count)") "
                + "\(update.before?.brief ?? "nothing") → \(update.snapshot.brief)"
        case .resynchronizing(let error): "resynchronizing \(error.problem?.code ?? error.code.rawValue)"
        case .gone: "gone"
        }
    }
}
