import Dispatch
import Foundation
import HTTPCore
import Journal
import MedleyCore
import MedleyService
import Synchronization

/// A service without sockets, asked directly.
struct ServiceFixture {
    let service: Service
    let library: Library
    let committer: Committer
    let clock: ManualClock

    init(
        journal: any Journal = MemoryJournal(), commits: Committer.Limits = .init(),
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) {
        let clock = ManualClock()
        let lineages = Counter()
        let items = Counter()
        var configuration = ServiceConfiguration(access: .open, now: { clock.time })
        configuration.makeLineage = { "lineage\(lineages.next())" }
        configuration.makeItemID = { ItemID("made-\(items.next())") }
        // The clock stands still, so that a token would have its burst only.
        configuration.limits.requestsPerSecond = 0
        configure(&configuration)
        library = Library()
        committer = Committer(library: library, journal: journal, limits: commits, now: { clock.time })
        service = Service(library: library, committer: committer, configuration: configuration)
        self.clock = clock
    }

    /// A service with the collection `mix`, made by whoever these header fields show: `video` with v1, v2, v3, `music` with m1, m2, and `later` with nothing.
    static func withMix(
        journal: any Journal = MemoryJournal(), commits: Committer.Limits = .init(), showing: [(String, String)] = [],
        configure: (inout ServiceConfiguration) -> Void = { _ in }
    ) async -> ServiceFixture {
        let fixture = ServiceFixture(journal: journal, commits: commits, configure: configure)
        _ = await fixture.send("PUT", "/v1/collections/mix", showing, json: mix)
        return fixture
    }

    static let mix = """
        {"title":"Mix","season":4,"sections":[
        {"id":"video","title":"Video","items":[
        {"id":"v1","type":"video","liked":true,"title":"Tide tables"},
        {"id":"v2","type":"video","title":"Locks and weirs","size":9007199254740993},
        {"id":"v3","type":"shortVideo","title":"Fog"}]},
        {"id":"music","title":"Music","items":[
        {"id":"m1","type":"music","title":"Slow ferry"},
        {"id":"m2","type":"music","liked":true,"title":"Harbour"}]},
        {"id":"later","title":"Later"}]}
        """

    /// Sends a request and waits for its response. A body without a type among the header fields is JSON.
    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: String? = nil
    ) async -> Received {
        await send(Self.request(method, target, headers, json: json))
    }

    func send(_ request: Request) async -> Received {
        await withCheckedContinuation { continuation in
            service.answer(request, RecordingReply { continuation.resume(returning: Received($0)) })
        }
    }

    static func request(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: String? = nil
    ) -> Request {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields = HeaderFields()
        for (name, value) in headers { fields.add(name, value) }
        let body = Array((json ?? "").utf8)
        if json != nil, fields["Content-Type"] == nil { fields.add("Content-Type", "application/json") }
        let head = RequestHead(
            method: method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, headers: fields,
            framing: json == nil ? .none : .length(body.count))
        return Request(head: head, body: body)
    }

    /// What all collections are, for comparing before and after.
    var state: [String: String] {
        get async {
            var state: [String: String] = [:]
            for (collection, _) in library.all() {
                state[collection] = await send("GET", "/v1/collections/\(collection)").text
            }
            return state
        }
    }

    /// The revision of `mix`.
    var revision: String { library.snapshot(of: "mix")?.revision.description ?? "" }
}

extension Service {
    /// Answers a request as a server has it answered: its head is admitted first.
    func answer(_ request: Request, _ reply: any Reply) {
        switch admit(request.head) {
        case .refuse(let response): reply.send(response)
        case .accept(_, let admitted):
            var request = request
            request.admitted = admitted
            handle(request, reply)
        }
    }
}

/// A response with its body drained.
struct Received: Sendable {
    let status: Int
    let headers: HeaderFields
    let body: [UInt8]
    /// The number of pieces of a streamed body; `nil` if it came in one.
    let pieceCount: Int?

    init(_ response: Response) {
        status = response.status
        headers = response.headers
        switch response.body {
        case .empty: (body, pieceCount) = ([], nil)
        case .bytes(let bytes): (body, pieceCount) = (bytes, nil)
        case .live(let stream):
            // What it has to send at once.
            var bytes: [UInt8] = []
            var count = 0
            while case .piece(let piece) = stream.next() {
                bytes += piece.bytes
                count += 1
            }
            (body, pieceCount) = (bytes, count)
        case .stream(let stream):
            var pieces = stream.makePieces()
            var bytes: [UInt8] = []
            var count = 0
            while let piece = pieces.next() {
                precondition(!piece.isEmpty || pieces.endsTurn, "a piece is only empty where it ends a turn")
                bytes += piece
                count += 1
            }
            precondition(stream.length == nil || stream.length == bytes.count, "the announced length")
            (body, pieceCount) = (bytes, count)
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The body as an object.
    var object: [String: Any] {
        ((try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]) ?? [:]
    }
    /// The problem's code, if the body is a well-formed problem.
    var code: String? {
        guard headers["Content-Type"] == "application/problem+json", object["status"] as? Int == status,
            object["title"] is String, let type = object["type"] as? String, type.hasPrefix("/problems/")
        else { return nil }
        return String(type.dropFirst("/problems/".count))
    }
    /// The ids of all items of a snapshot's sections, by section.
    var sectionItems: [(String, [String])] {
        (object["sections"] as? [[String: Any]] ?? []).map { section in
            (section["id"] as? String ?? "", Self.ids(section["items"]))
        }
    }
    /// The ids of a list of items.
    var itemIDs: [String] { Self.ids(object["items"]) }

    private static func ids(_ items: Any?) -> [String] {
        (items as? [[String: Any]] ?? []).map { $0["id"] as? String ?? "" }
    }
}

/// A reply that hands the first response on.
final class RecordingReply: Reply {
    private let isSent = Mutex(false)
    private let receive: @Sendable (Response) -> Void

    init(_ receive: @escaping @Sendable (Response) -> Void) { self.receive = receive }

    func send(_ response: Response) {
        let isFirst = isSent.withLock { isSent in
            defer { isSent = true }
            return !isSent
        }
        if isFirst { receive(response) }
    }

    func hold(_ held: any HeldRequest) {}

    var loop: any LoopExecutor { CallerLoop.shared }
}

/// Stands in for a connection's loop where there is none: runs jobs at once, where they come from.
final class CallerLoop: LoopExecutor {
    static let shared = CallerLoop()

    func execute(_ job: @escaping @Sendable () -> Void) -> Bool {
        job()
        return true
    }

    var isCurrent: Bool { true }
    var now: UInt64 { 0 }
}

/// A clock that stands until it is set.
final class ManualClock: Sendable {
    private let seconds = Mutex(1_000.0)

    var time: Double { seconds.withLock { $0 } }
    func advance(by interval: Double) { seconds.withLock { $0 += interval } }
}

/// Counts from 1.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A journal that keeps nothing and says so.
struct FailingJournal: Journal {
    let fails: Switch

    func append(_ records: [JournalRecord]) throws(JournalError) {
        if fails.isOn { throw JournalError("disk full") }
    }
}

/// Something that is on or off.
final class Switch: Sendable {
    private let state = Mutex(false)

    var isOn: Bool { state.withLock { $0 } }
    func set(_ isOn: Bool) { state.withLock { $0 = isOn } }
}

/// A journal that, when shut, waits until it is opened.
final class GatedJournal: Journal {
    private let isShut = Switch()
    let hasBegun = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    func shut() { isShut.set(true) }

    func append(_ records: [JournalRecord]) throws(JournalError) {
        guard isShut.isOn else { return }
        isShut.set(false)
        hasBegun.signal()
        gate.wait()
    }
}
