import EventLoop
import HTTPCore

/// How a connection comes to its end.
extension Connection {
    /// No more requests come: one that is incomplete is refused, since its client can still read.
    func inputHasEnded() {
        if hasPart {
            refuse(Refusal(status: 400, detail: "the request ends before it is complete"))
        } else {
            phase = .closing
        }
    }

    func checkDeadlines(now: UInt64) {
        self.now = now
        if isWaiting {
            tick(now: now)
            guard phase != .closed else { return }
        }
        // A streamed body may wait for the socket with no piece made.
        let isWriting = stream.pendingOutput > 0 || phase == .streaming
        // What waited may have been answered just now, later than this pass began.
        switch deadlines.expiry(now: self.now, isWriting: isWriting, written: stream.bytesWritten) {
        case nil: break
        case .idle, .write, .linger: close()
        case .request where stream.isSecuring: close()
        case .request:
            refuse(Refusal(status: 408, detail: "the request took too long to come"))
            settle()
        }
    }

    /// Closes the connection if it is idle; else the response under way is its last.
    func drain() {
        if phase == .reading { stream.readNow() }
        guard phase == .reading, !hasPart, !isBlocked else { return }
        if stream.pendingOutput == 0 { close() } else { phase = .closing }
    }

    /// Closes the connection at once; twice is harmless.
    func close() {
        guard phase != .closed else { return }
        count()
        if phase == .handling { lostNumber = number }
        observeEnd()
        // A response that was begun and not finished is to be known for that.
        let isCut = phase == .handling || phase == .streaming || phase == .live
        phase = .closed
        stream.close(isCut: isCut)
        pieces = nil
        head = nil
        admitted = nil
        forgetBody()
        isAbandoned = false
        let (held, live) = (held, live)
        if held != nil { self.held = nil }
        if live != nil { self.live = nil }
        server.remove(self)
        held?.peerEnded()
        live?.ended()
        // A loop that ends takes no answers any more.
        if lostNumber != nil, server.isEnding { observeLost(nil) }
    }
}
