import EventLoop
import HTTPCore

/// A client's connection: reads one request after the other, has each answered, and writes the responses in order.
// SAFETY: everything mutable is touched on the loop's thread only; replies reach it by `EventLoop.execute`.
final class Connection: ByteStreamHandler, @unchecked Sendable {
    /// What the connection does.
    enum Phase {
        /// It reads a request, or waits for one.
        case reading
        /// The handler has a request.
        case handling
        /// A response is made piece by piece.
        case streaming
        /// A response is sent whose pieces come when something happens.
        case live
        /// The last response is being written.
        case closing
        /// The last response is written and the client has yet to end; what it sends is dropped.
        case lingering
        /// It is over.
        case closed
    }

    /// How much input waits at most while a request is being answered, in bytes.
    static let inputLimit = 65_536
    /// How many requests in a row are begun before other connections have their turn.
    private static let requestTurn = 16

    let stream: ByteStream
    let loop: EventLoop
    let server: ServerLoop
    /// Whom it is counted for; `nil` for one who has no limit of its own.
    let network: NetworkAddress?
    /// Whether a proxy has opened it whose word counts for whom a request comes from.
    let isFromProxy: Bool
    /// The limit that it is over, if it is.
    let rejection: OpenConnections.Refusal?
    /// The place in the loop's list of connections.
    var index: Int

    // What is marked so is this object's own, on one thread, and given to nothing that calls back: the check for
    // overlapping access would cost more than the access.
    var phase = Phase.reading
    @safe @exclusivity(unchecked) var parser: RequestParser
    /// The head of the request that is being read; the handler gets it with the body.
    @safe @exclusivity(unchecked) var head: RequestHead?
    /// What the handler found out of it.
    var admitted: (any AnyObject & Sendable)?
    @safe @exclusivity(unchecked) var body: [UInt8] = []
    /// How much of the body is counted among those that are arriving.
    var countedBody = 0
    /// What the response to the current request depends on.
    @safe @exclusivity(unchecked) var exchange = Exchange()
    /// What an admission refused a request with that has no body to skip.
    @safe @exclusivity(unchecked) var earlyResponse: Response?
    /// The responses that are in the output and that the observer is yet to be told of, in order.
    @safe @exclusivity(unchecked) var unsent: [Exchange] = []
    /// Counts the requests; a reply to another than the current one comes too late.
    var number: UInt64 = 0
    /// Whether the connection closes after the response under way.
    var closes = false
    var pieces: (any BodyPieces)?
    /// When the callback that runs began: one reading of the clock for all that it does.
    var now: UInt64
    /// Who is told of the request that is held.
    var held: (any HeldRequest)? {
        didSet { server.counters.held.add((held == nil ? 0 : 1) - (oldValue == nil ? 0 : 1)) }
    }
    /// The stream that is being sent.
    var live: (any LiveStream)? {
        didSet { server.counters.live.add((live == nil ? 0 : 1) - (oldValue == nil ? 0 : 1)) }
    }
    /// Whether the stream is being asked for pieces.
    var isPumping = false
    /// Whether the client of a held request has ended its side.
    var isAbandoned = false
    /// The request that the handler had when the connection was lost.
    var lostNumber: UInt64?

    @safe @exclusivity(unchecked) var deadlines: ConnectionDeadlines
    /// Whether the parser is being fed, so that a reply at once does not feed it again.
    private(set) var isFeeding = false
    /// Whether what was read has to wait: the client does not take its responses, or others have their turn.
    var isBlocked = false
    /// Whether the connection has a place among those that wait for their next turn.
    private(set) var isQueued = false
    /// Whether a part of a request was read.
    var hasPart = false
    /// How much input was left in the stream.
    private var leftInput = 0
    private var answered: UInt64 = 0
    private var countedIn: UInt64 = 0
    private var countedOut: UInt64 = 0

    init(
        stream: ByteStream, server: ServerLoop, index: Int, network: NetworkAddress?, isFromProxy: Bool,
        rejection: OpenConnections.Refusal?
    ) {
        self.stream = stream
        self.server = server
        self.index = index
        self.network = network
        self.isFromProxy = isFromProxy
        self.rejection = rejection
        loop = server.loop
        parser = RequestParser(limits: server.configuration.limits, peer: stream.peer)
        now = server.clock()
        deadlines = ConnectionDeadlines(server.configuration.timeouts, now: now)
    }

    /// Begins to read, or says that there are too many connections.
    func begin() {
        stream.handler = self
        let configuration = server.configuration
        switch rejection {
        case nil: break
        case .total:
            let limit = configuration.maxConnections
            refuse(Refusal(status: 503, detail: "too many connections are open", limit: limit))
        case .address:
            let limit = configuration.connectionsPerAddress
            refuse(Refusal(status: 503, detail: "too many connections are open from this address", limit: limit))
        }
        settle()
    }

    // MARK: What the stream tells

    func streamDidReceive(_ bytes: Span<UInt8>) -> Int {
        now = server.clock()
        // Whoever sends on gets no turn before its own.
        let used = isQueued ? 0 : feed(bytes)
        leftInput = bytes.count - used
        settle()
        return used
    }

    func streamDidSecure() {
        now = server.clock()
        settle()
    }

    func streamIsNotSecure() {
        now = server.clock()
        if phase == .reading {
            refuse(Refusal(status: 400, detail: "this address speaks TLS: ask it by https"))
        }
        settle()
    }

    func streamDidEnd() {
        now = server.clock()
        peerHasEnded()
        settle()
    }

    func streamDidFail(_ error: EventLoopError) {
        if stream.isSecuring { server.counters.refusals.add(1) }
        close()
    }

    func streamDidDrain() {
        now = server.clock()
        guard !isQueued else { return }
        isBlocked = false
        switch phase {
        case .streaming: waitForTurn()
        case .live: pumpLive()
        default: break
        }
        resume()
    }

    // MARK: Turns

    /// Goes on when those have had their turn who wait for it already, and what has come meanwhile was looked at.
    func waitForTurn() {
        guard !isQueued else { return }
        isQueued = true
        server.queue(self)
    }

    /// It is the connection's turn to go on.
    func goOn() {
        isQueued = false
        guard phase != .closed else { return }
        now = server.clock()
        isBlocked = false
        switch phase {
        case .streaming: pump()
        case .live: pumpLive()
        default: break
        }
        resume()
    }

    // MARK: Requests

    /// Gives the parser bytes and does what it finds, until it needs more or a request has to be answered first.
    private func feed(_ bytes: Span<UInt8>) -> Int {
        var position = 0
        let turn = number &+ UInt64(Self.requestTurn)
        isFeeding = true
        isBlocked = false
        defer {
            isFeeding = false
            hasPart = position < bytes.count || !parser.isBetweenRequests
        }
        while phase == .reading {
            if stream.pendingOutput >= server.configuration.unsentBytes, flush() != .drained {
                isBlocked = true
                return position
            }
            if number >= turn, position < bytes.count {
                isBlocked = true
                waitForTurn()
                return position
            }
            switch parser.next(bytes, at: &position) {
            case .needMore: return position
            case .head(let head): begin(head, bodyHasCome: position < bytes.count)
            case .body(let range): receiveBody(bytes.extracting(range))
            case .end: complete()
            case .refused(let refusal): refuse(refusal)
            }
        }
        switch phase {
        case .closing, .lingering, .closed: return bytes.count
        case .reading, .handling, .streaming, .live: return position
        }
    }

    /// Goes on with what was read meanwhile, after a response.
    func resume() {
        guard !isFeeding else { return }
        if phase == .reading, leftInput > 0 {
            stream.redeliver()
        } else {
            settle()
        }
    }

    // MARK: The end of every callback

    /// Writes, and brings what is read and which deadline holds in line with the phase.
    func settle() {
        guard phase != .closed else { return }
        if isAbandoned {
            close()
            return
        }
        if phase == .reading, stream.hasEnded, !isBlocked { inputHasEnded() }
        guard flush() != .failed else {
            close()
            return
        }
        observeSent()
        if phase == .closing, stream.pendingOutput == 0 {
            guard !stream.hasEnded else {
                close()
                return
            }
            stream.shutdownOutput()
            phase = .lingering
        }
        guard phase != .lingering || !stream.hasEnded else {
            close()
            return
        }
        count()
        let drops = phase == .closing || phase == .lingering
        let wants = phase == .reading && !isBlocked
        stream.isReading = !stream.hasEnded && (drops || wants || leftInput < Self.inputLimit)
        enterDeadline()
    }

    private func enterDeadline() {
        switch phase {
        case .reading where !isBlocked:
            // A handshake has the time of a request.
            deadlines.enter(hasPart || stream.isSecuring ? .receiving : .idle, now: now, restarting: answered != number)
        case .lingering: deadlines.enter(.lingering, now: now)
        default: deadlines.enter(.answering, now: now)
        }
        answered = number
    }

    /// What the flush of the stream came to.
    private enum Outcome {
        case drained, pending, failed
    }

    private func flush() -> Outcome {
        guard stream.pendingOutput > 0 else { return .drained }
        switch stream.flush() {
        case .drained: return .drained
        case .pending: return .pending
        case .failed: return .failed
        }
    }

    func count() {
        server.counters.bytesIn.add(Int(stream.bytesRead &- countedIn))
        server.counters.bytesOut.add(Int(stream.bytesWritten &- countedOut))
        countedIn = stream.bytesRead
        countedOut = stream.bytesWritten
    }
}
