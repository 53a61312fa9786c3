import EventLoop
import HTTPCore

/// What the observer is told of: each request once, when its response is sent or the connection is gone.
extension Connection {
    /// A loop keeps a list for its connections up to this long.
    private static let keptRecords = 64

    /// The response is in the output to its end: it is told of when the system has it.
    func observeWhenSent() {
        guard server.isObserved else { return }
        exchange.end = stream.bytesWritten &+ UInt64(stream.pendingOutput)
        // The list is the loop's, so that an idle connection holds none and a request allocates none.
        if unsent.capacity == 0 { swap(&unsent, &server.spareUnsent) }
        unsent.append(exchange)
    }

    /// Tells of the responses that the system has by now.
    func observeSent() {
        guard !unsent.isEmpty else { return }
        let written = stream.bytesWritten
        var count = 0
        while count < unsent.count, unsent[count].end <= written { count += 1 }
        guard count > 0 else { return }
        let time = server.clock()
        for index in 0..<count { tell(unsent[index], at: time) }
        guard count == unsent.count else {
            unsent.removeFirst(count)
            return
        }
        unsent.removeAll(keepingCapacity: unsent.capacity <= Self.keptRecords)
        swap(&unsent, &server.spareUnsent)
        unsent = []
    }

    /// The connection closes: tells of what was sent of the responses, and of a request that gets none any more.
    ///
    /// A request that the handler still has is told of with its answer, which says what came of it.
    func observeEnd() {
        guard server.isObserved else { return }
        let time = server.clock()
        for exchange in unsent { tell(exchange, at: time) }
        unsent = []
        switch phase {
        case .streaming, .live:
            exchange.end = stream.bytesWritten &+ UInt64(stream.pendingOutput)
            tellCut(at: time)
        case .reading where exchange.started != 0: tellCut(at: time)
        case .reading, .handling, .closing, .lingering, .closed: break
        }
    }

    /// The handler's answer came after the connection was gone; `nil` if none will come.
    func observeLost(_ response: Response?) {
        guard server.isObserved, !exchange.isTold else { return }
        exchange.status = response?.status ?? 0
        exchange.caller = response?.caller
        tellCut(at: server.clock())
    }

    private func tellCut(at time: UInt64) {
        exchange.isCut = true
        exchange.isTold = true
        tell(exchange, at: time)
    }

    private func tell(_ exchange: Exchange, at time: UInt64) {
        guard let observer = server.observer, let id = exchange.id else { return }
        let written = stream.bytesWritten
        let missing = exchange.end > written ? Int(clamping: exchange.end - written) : 0
        observer.requestFinished(
            RequestRecord(
                id: id, method: exchange.method, path: exchange.path, peer: stream.peer,
                forwardedFor: exchange.forwardedFor, caller: exchange.caller,
                status: exchange.status, bodyBytes: max(0, exchange.bodyBytes - missing),
                nanoseconds: time > exchange.started ? time - exchange.started : 0,
                isComplete: missing == 0 && !exchange.isCut))
    }
}
