import EventLoop
import HTTPCore
import Synchronization

/// Answers by path and remembers what it saw.
final class TestHandler: RequestHandler {
    struct Held {
        let path: String
        let reply: any Reply
        /// What the connection tells, if the request is held.
        let watch: TestHeld?
    }

    private let seen = Mutex<[String]>([])
    private let admitted = Mutex<[String]>([])
    private let held = Mutex<[Held]>([])
    private let live = Mutex<[TestLive]>([])
    /// Raised when a request to `/later` or `/held` is there.
    let isHolding: Signal
    /// What a request to `/gate` keeps its loop waiting for.
    let gate: Signal
    /// A thread that is none of the server's.
    let otherThread: EventLoop
    /// How many bytes of streamed bodies were made.
    let produced = Produced()
    /// How many there were when `/other` was asked for.
    private let otherSaw = Produced()
    var producedAtOther: Int { otherSaw.value }

    init() throws {
        isHolding = try Signal()
        gate = try Signal()
        otherThread = try EventLoop(name: "other")
        try otherThread.start()
    }

    var paths: [String] { seen.withLock { $0 } }
    var admittedPaths: [String] { admitted.withLock { $0 } }

    /// Takes the replies that are held.
    func takeHeld() -> [Held] {
        held.withLock { held in
            defer { held = [] }
            return held
        }
    }

    /// Lets go of all replies and streams: they hold the server, which holds this.
    func forget() {
        _ = takeHeld()
        for stream in streams { stream.forget() }
        live.withLock { $0 = [] }
    }

    /// The replies that are held.
    var allHeld: [Held] { held.withLock { $0 } }
    /// The live streams in the order of their requests.
    var streams: [TestLive] { live.withLock { $0 } }

    func admit(_ head: RequestHead) -> Admission {
        admitted.withLock { $0.append(head.path) }
        if head.path == "/refused" { return .refuse(Self.text("no", status: 415)) }
        return .accept(bodyLimit: head.path == "/small" ? 10 : 10_000_000)
    }

    func handle(_ request: Request, _ reply: any Reply) {
        let path = request.head.path
        seen.withLock { $0.append(path) }
        let parts = path.split(separator: "/")
        let size = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        switch parts.first ?? "" {
        case "later":
            held.withLock { $0.append(Held(path: path, reply: reply, watch: nil)) }
            isHolding.raise()
        case "other":
            otherSaw.add(produced.value)
            reply.send(Self.text(path))
        case "gate":
            isHolding.raise()
            _ = gate.wait()
            reply.send(Self.text(path))
        case "held":
            let watch = TestHeld(reply, answersAtEnd: request.head.query == "answers")
            reply.hold(watch)
            held.withLock { $0.append(Held(path: path, reply: reply, watch: watch)) }
            isHolding.raise()
        case "live":
            let stream = TestLive(greeting: request.head.query.map { Array($0.utf8) })
            live.withLock { $0.append(stream) }
            reply.send(Response(status: 200, body: .live(stream)))
        case "id":
            reply.send(Self.text(request.head.requestID?.description ?? "none"))
        case "address":
            reply.send(Self.text(request.head.clientAddress))
        case "scheme":
            reply.send(Self.text(request.head.isSecure ? "https" : "http"))
        case "hop":
            otherThread.execute { reply.send(Self.text(path)) }
        case "twice":
            reply.send(Self.text("first"))
            reply.send(Self.text("second"))
        case "bytes":
            reply.send(Response(status: 200, body: .bytes(TestStream.content(size))))
        case "stream":
            reply.send(Response(status: 200, body: .stream(TestStream(size: size, length: nil, produced: produced))))
        case "turns":
            reply.send(Response(status: 200, body: .stream(TurnStream { [self] in paths.contains("/other") })))
        case "length":
            reply.send(Response(status: 200, body: .stream(TestStream(size: size, length: size, produced: produced))))
        case "short":
            reply.send(
                Response(status: 200, body: .stream(TestStream(size: size, length: size + 1, produced: produced))))
        case "long":
            reply.send(
                Response(status: 200, body: .stream(TestStream(size: size, length: size - 1, produced: produced))))
        case "none":
            reply.send(Response(status: 204))
        case "same":
            reply.send(Response(status: 304))
        default:
            reply.send(Self.text("\(request.head.method) \(path) \(String(decoding: request.body, as: UTF8.self))"))
        }
    }

    func response(to refusal: Refusal) -> Response {
        Problem(code: "refused", status: refusal.status, title: "Refused", detail: refusal.detail).response
    }

    static func text(_ text: String, status: Int = 200) -> Response {
        var headers = HeaderFields()
        headers.add("Content-Type", "text/plain")
        return Response(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    }
}

/// A count of bytes that any thread may read.
final class Produced: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add(_ amount: Int) { count.add(amount, ordering: .relaxed) }
}

/// A body of so many bytes in pieces of about ten KiB.
struct TestStream: BodyStream {
    let size: Int
    let length: Int?
    let produced: Produced

    func makePieces() -> any BodyPieces { Pieces(left: size, produced: produced) }

    /// What a body of this size consists of.
    static func content(_ size: Int) -> [UInt8] {
        var pieces = Pieces(left: size, produced: Produced())
        var content: [UInt8] = []
        while let piece = pieces.next() { content += piece }
        return content
    }

    struct Pieces: BodyPieces {
        var left: Int
        let produced: Produced

        mutating func next() -> [UInt8]? {
            guard left > 0 else { return nil }
            let count = min(left, 10_000)
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: left / 10_000), count: count)
            left -= count
            produced.add(count)
            return piece
        }
    }
}

/// A body that has nothing to send, turn after turn, until something has happened; then it says how that went.
struct TurnStream: BodyStream {
    static let mostTurns = 1_000_000
    var length: Int? { nil }
    let hasHappened: @Sendable () -> Bool

    init(until hasHappened: @escaping @Sendable () -> Bool) { self.hasHappened = hasHappened }

    func makePieces() -> any BodyPieces { Pieces(hasHappened: hasHappened) }

    struct Pieces: BodyPieces {
        let hasHappened: @Sendable () -> Bool
        private var turns = 0
        private var isAtEnd = false

        init(hasHappened: @escaping @Sendable () -> Bool) { self.hasHappened = hasHappened }

        var endsTurn: Bool { !isAtEnd }

        mutating func next() -> [UInt8]? {
            if isAtEnd { return nil }
            turns += 1
            guard turns > 1 && hasHappened() || turns == TurnStream.mostTurns else { return [] }
            isAtEnd = true
            return Array((turns < TurnStream.mostTurns ? "others had their turn" : "nobody had a turn").utf8)
        }
    }
}
