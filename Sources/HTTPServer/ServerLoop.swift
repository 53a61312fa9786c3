import EventLoop
import HTTPCore

/// One loop of a server with its listeners and connections.
// SAFETY: everything mutable is touched on the loop's thread only.
final class ServerLoop: LoopExecutor, @unchecked Sendable {
    /// How many connections over the limit are told so at a time; others are closed at once.
    private static let rejectionLimit = 256
    /// How often it is looked at whose turn it is to end, in nanoseconds.
    private static let turnInterval: UInt64 = 10_000_000
    /// How long those who have much to do keep the loop from looking at what has come meanwhile, in nanoseconds.
    private static let queueTime: UInt64 = 4_000_000

    let loop: EventLoop
    let configuration: ServerConfiguration
    let handler: any RequestHandler
    let observer: (any LoopObserver)?
    let isObserved: Bool
    let clock: @Sendable () -> UInt64
    let counters = LoopCounters()
    /// Raised when the loop drains and its last connection is gone.
    let drained: Signal
    private(set) var isDraining = false
    /// Whether the loop is about to end, and takes no jobs then.
    private(set) var isEnding = false
    private let open: OpenConnections
    let arriving: ArrivingBodies
    private var listeners: [Listener] = []
    private var connections: [Connection] = []
    private var rejections = 0
    @safe @exclusivity(unchecked) private var date = HTTPDate()
    @safe @exclusivity(unchecked) private var requestIDs = RequestIDs()
    /// An empty list with room, lent to the connection whose responses are being sent.
    @safe @exclusivity(unchecked) var spareUnsent: [Exchange] = []
    private var timer: LoopTimer?
    /// Connections that wait for their next turn, from `queueStart` on.
    private var queued: [Connection] = []
    private var queueStart = 0
    private var queueTimer: LoopTimer?
    /// What waited when the draining began, and the turns it has.
    private var waiting: [Connection] = []
    private var schedule: DrainSchedule?
    private var turns: LoopTimer?

    init(
        loop: EventLoop, configuration: ServerConfiguration, handler: any RequestHandler,
        observer: (any ServerObserver)?, clock: @escaping @Sendable () -> UInt64, open: OpenConnections,
        arriving: ArrivingBodies, drained: Signal
    ) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        self.observer = observer?.makeLoopObserver()
        isObserved = observer != nil
        self.clock = clock
        self.open = open
        self.arriving = arriving
        self.drained = drained
    }

    // MARK: What handlers see

    func execute(_ job: @escaping @Sendable () -> Void) -> Bool { loop.execute(job) }

    var isCurrent: Bool { loop.isCurrent }

    var now: UInt64 { clock() }

    // MARK: Connections

    /// How long a client of a live stream may leave what was sent without a sign, in milliseconds.
    var unacknowledgedLimit: Int32 { Int32(clamping: max(1, configuration.timeouts.writeStall / 1_000_000)) }

    /// Begins to accept.
    func listen(_ sockets: [ListeningSocket]) {
        listeners = sockets.map { socket in
            Listener(loop: loop, socket: socket, identity: configuration.identity) { [unowned self] stream in
                accept(stream)
            }
        }
        let timer = LoopTimer(loop: loop) { [unowned self] in
            checkDeadlines()
            self.timer?.schedule(afterNanoseconds: configuration.tick)
        }
        self.timer = timer
        timer.schedule(afterNanoseconds: configuration.tick)
        queueTimer = LoopTimer(loop: loop) { [unowned self] in giveQueuedTurns() }
    }

    /// Puts a connection behind those that wait for their next turn.
    func queue(_ connection: Connection) {
        if queued.isEmpty { queueTimer?.schedule(afterNanoseconds: 0) }
        queued.append(connection)
    }

    /// Gives those who wait their turns, one after the other, for a few milliseconds; then what has come meanwhile is looked
    /// at. So however many ask for much, whoever asks for little waits no longer than that and one turn.
    private func giveQueuedTurns() {
        // The time that passes, whatever clock the deadlines go by.
        let end = EventLoop.now() + Self.queueTime
        repeat {
            let connection = queued[queueStart]
            queueStart += 1
            connection.goOn()
        } while queueStart < queued.count && EventLoop.now() < end
        // Each is moved once on average.
        if queueStart * 2 >= queued.count {
            queued.removeFirst(queueStart)
            queueStart = 0
        }
        if !queued.isEmpty { queueTimer?.schedule(afterNanoseconds: 0) }
    }

    /// A name for a request whose client has none for it.
    func makeRequestID() -> RequestID { requestIDs.next() }

    /// Puts a response's head into a stream's output, with the date of now.
    func appendHead(
        of response: Response, _ id: RequestID, _ framing: ResponseHead.Framing,
        _ persistence: ResponseHead.Persistence,
        to stream: ByteStream
    ) {
        let date = date.bytes(at: EventLoop.wallSeconds())
        stream.gather { output in
            ResponseHead.append(
                to: &output, status: response.status, headers: response.headers, framing: framing,
                persistence: persistence, date: date, requestID: id)
        }
    }

    /// Ends what has passed its deadline.
    func checkDeadlines() {
        let now = clock()
        // From the end, since a connection that closes is replaced by the last.
        for index in connections.indices.reversed() where index < connections.count {
            connections[index].checkDeadlines(now: now)
        }
    }

    /// Stops accepting, closes what is idle, lets the others finish their request, and has what waits end one after the
    /// other over half of the grace.
    func drain(grace: UInt64) {
        isDraining = true
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections { connection.drain() }
        waiting = connections.filter(\.isWaiting)
        schedule = DrainSchedule(count: waiting.count, start: clock(), span: grace / 2)
        turns = LoopTimer(loop: loop) { [unowned self] in giveTurns() }
        giveTurns()
        if connections.isEmpty { drained.raise() }
    }

    /// Tells those to end whose turn it is.
    private func giveTurns() {
        guard let due = schedule?.due(now: clock()) else { return }
        for connection in waiting[due] { connection.takeTurn() }
        if schedule?.isDone == false {
            turns?.schedule(afterNanoseconds: Self.turnInterval)
        } else {
            waiting = []
        }
    }

    /// Closes everything; the loop can end then.
    func tearDown() {
        isDraining = true
        isEnding = true
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections { connection.close() }
        timer?.cancel()
        timer = nil
        queueTimer?.cancel()
        queueTimer = nil
        queued = []
        queueStart = 0
        turns?.cancel()
        turns = nil
        waiting = []
    }

    /// Forgets a connection that has closed.
    func remove(_ connection: Connection) {
        guard let last = connections.popLast() else { return }
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        if connection.rejection != nil {
            rejections -= 1
        } else {
            open.leave(network: connection.network)
            counters.open.add(-1)
        }
        if isDraining, connections.isEmpty { drained.raise() }
    }

    private func accept(_ stream: ByteStream) {
        let peer = NetworkAddress(peer: stream.peer) ?? .unknown
        let isProxy = configuration.proxies.contains(peer)
        let isExempt = isProxy || configuration.loopbackIsExempt && peer.isLoopback
        let network = isExempt ? nil : peer.clientNetwork
        let rejection = open.enter(
            limit: configuration.maxConnections, network: network, networkLimit: configuration.connectionsPerAddress)
        if rejection != nil {
            counters.rejected.add(1)
            guard rejections < Self.rejectionLimit else {
                stream.close()
                return
            }
            rejections += 1
        } else {
            counters.accepted.add(1)
            counters.open.add(1)
        }
        let connection = Connection(
            stream: stream, server: self, index: connections.count, network: network, isFromProxy: isProxy,
            rejection: rejection)
        connections.append(connection)
        connection.begin()
    }
}
