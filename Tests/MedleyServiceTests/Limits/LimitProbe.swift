import Dispatch
import HTTPCore
import HTTPServer
import Journal
import MedleyCore
import Synchronization
import Testing

@testable import MedleyService

/// How a limit is come to: a service with a low one, and a request at the limit or one over it.
struct LimitProbe: Sendable {
    typealias Configure = @Sendable (inout ServiceConfiguration, inout Committer.Limits) -> Void
    typealias Attempt = @Sendable (ServiceFixture, _ isOver: Bool) async throws -> Received

    /// What the problem's `limit` says; `nil` for nothing.
    let limit: Int?
    let configure: Configure
    let attempt: Attempt

    init(_ limit: Int?, _ configure: @escaping Configure = { _, _ in }, _ attempt: @escaping Attempt) {
        self.limit = limit
        self.configure = configure
        self.attempt = attempt
    }

    /// A service of the probe's own, with the collection `mix`.
    func fixture(journal: any Journal = MemoryJournal()) async -> ServiceFixture {
        var commits = Committer.Limits()
        var unused = ServiceConfiguration(access: .open, now: { 0 })
        configure(&unused, &commits)
        return await ServiceFixture.withMix(journal: journal, commits: commits) { configuration in
            var unused = Committer.Limits()
            configure(&configuration, &unused)
        }
    }
}

extension ServiceFixture {
    /// Sends a request as a server does: its head first, and its body only if that may come.
    func ask(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: String? = nil,
        from peer: String = ""
    ) async -> Received {
        var request = Self.request(method, target, headers, json: json)
        request.head.peer = peer
        return await send(request)
    }

    /// Begins a request; what is answered comes later.
    func begin(_ method: String, _ target: String, json: String? = nil) -> AsyncStream<Received> {
        let (stream, continuation) = AsyncStream.makeStream(of: Received.self)
        service.answer(
            Self.request(method, target, json: json),
            RecordingReply {
                continuation.yield(Received($0))
                continuation.finish()
            })
        return stream
    }

    /// The response to a request that is answered at once, unread.
    func response(_ target: String, from peer: String = "") -> Response? {
        var request = Self.request("GET", target)
        request.head.peer = peer
        let responses = Collected<Response>()
        service.answer(request, RecordingReply { responses.add($0) })
        return responses.all.first
    }

    /// This service behind a server that holds to its limits.
    func served() async throws -> SocketService {
        let limits = service.configuration.limits
        return try await SocketService(self) { configuration in
            configuration.loops = 1
            configuration.limits = limits.ofRequests
            configuration.maxConnections = limits.connections
            configuration.connectionsPerAddress = limits.connectionsPerAddress
            configuration.loopbackIsExempt = limits.loopbackIsExempt
            configuration.arrivingBytes = limits.arrivingBytes
            configuration.unsentBytes = limits.unsentBytes
            configuration.timeouts.request = UInt64(limits.requestSeconds * 1e9)
            configuration.tick = 5_000_000
        }
    }
}

/// What was given, in order.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
