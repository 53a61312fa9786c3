/// Which deadline a connection is under and whether it has passed; time is passed in, in nanoseconds.
struct ConnectionDeadlines {
    /// What the connection does.
    enum Phase: Hashable {
        /// It waits for a request.
        case idle
        /// A part of a request is there.
        case receiving
        /// A response is under way: there is no deadline but that of a client which takes nothing.
        case answering
        /// The response is written, the client is yet to end.
        case lingering
    }

    /// Which time is over.
    enum Expiry: Hashable {
        case idle, request, write, linger
    }

    private let timeouts: ServerConfiguration.Timeouts
    private var phase = Phase.idle
    private var since: UInt64
    private var seenWritten: UInt64 = 0
    private var stalledSince: UInt64?

    init(_ timeouts: ServerConfiguration.Timeouts, now: UInt64) {
        self.timeouts = timeouts
        since = now
    }

    /// The connection is in a phase now. Being in it already does not begin it anew, except that `restarting` says that
    /// another request was answered in between.
    mutating func enter(_ phase: Phase, now: UInt64, restarting: Bool = false) {
        guard phase != self.phase || restarting else { return }
        self.phase = phase
        since = now
    }

    /// The deadline that has passed, if one has. `written` counts what the client has taken so far.
    mutating func expiry(now: UInt64, isWriting: Bool, written: UInt64) -> Expiry? {
        if !isWriting {
            stalledSince = nil
        } else if let stalledSince, written == seenWritten {
            if Self.time(since: stalledSince, now) >= timeouts.writeStall { return .write }
        } else {
            stalledSince = now
            seenWritten = written
        }
        switch phase {
        case .idle: return Self.time(since: since, now) >= timeouts.idle ? .idle : nil
        case .receiving: return Self.time(since: since, now) >= timeouts.request ? .request : nil
        case .answering: return nil
        case .lingering: return Self.time(since: since, now) >= timeouts.linger ? .linger : nil
        }
    }

    /// The time between two moments; none if they come the wrong way round, as two readings of the clock can.
    private static func time(since start: UInt64, _ now: UInt64) -> UInt64 { now > start ? now - start : 0 }
}
