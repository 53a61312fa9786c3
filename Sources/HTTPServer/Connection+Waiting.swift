import EventLoop
import HTTPCore

/// Held requests and live streams: what waits for something to happen.
extension Connection {
    /// How much of a live stream the system keeps at most for a client that has no room, in bytes.
    private static let unsentLimit: Int32 = 16_384

    /// Whether a held request or a live stream is to be told when the server stops.
    var isWaiting: Bool { held != nil || live != nil }

    // MARK: Held requests

    /// The request of that number is answered when something happens.
    func hold(_ number: UInt64, _ held: any HeldRequest) {
        if number == lostNumber {
            held.peerEnded()
            return
        }
        guard number == self.number, phase == .handling else { return }
        if stream.hasEnded {
            // The handler may answer until it returns; then the connection is settled, and closed without an answer.
            isAbandoned = true
            held.peerEnded()
            if !isFeeding { settle() }
            return
        }
        self.held = held
        if server.isDraining { held.drain() }
    }

    // MARK: Live streams

    /// Begins a live stream, whose head is in the output.
    func begin(_ source: any LiveStream) {
        live = source
        phase = .live
        stream.limitUnsent(to: Self.unsentLimit)
        stream.limitUnacknowledged(milliseconds: server.unacknowledgedLimit)
        source.began(ConnectionReply(connection: self, number: number))
        if server.isDraining { source.drain() }
        pumpLive(isFirst: true)
        if phase == .live, stream.hasEnded { endLive() }
    }

    /// The stream of that number has something to send.
    func wake(_ number: UInt64) {
        guard number == self.number, phase == .live, !isPumping else { return }
        if !isFeeding { now = server.clock() }
        pumpLive()
        resume()
    }

    /// Sends pieces for as long as there are some and the socket takes them. The first goes along with the head.
    func pumpLive(isFirst: Bool = false) {
        guard phase == .live, !isPumping, let live else { return }
        guard isFirst || stream.pendingOutput == 0 else { return }
        isPumping = true
        defer { isPumping = false }
        let turn = stream.bytesWritten &+ UInt64(Self.streamTurn)
        while phase == .live {
            switch live.next() {
            case .wait: return
            case .end:
                endLive()
                return
            case .piece(let piece):
                exchange.bodyBytes += piece.count
                switch stream.write(exchange.framing == .chunked ? piece.chunk : piece.bytes) {
                case .pending: return
                case .failed:
                    close()
                    return
                case .drained:
                    if stream.bytesWritten >= turn {
                        waitForTurn()
                        return
                    }
                }
            }
        }
    }

    /// Ends the stream's response in order. A client that has ended its side gets no other.
    private func endLive() {
        guard let ending = live else { return }
        live = nil
        if exchange.framing == .chunked { stream.gather { $0 += Self.lastChunk } }
        stream.limitUnsent(to: nil)
        if stream.hasEnded {
            closes = true
            exchange.isCut = true
        }
        finish()
        ending.ended()
    }

    // MARK: What happens to both

    /// The client has ended its side: nobody waits any more.
    func peerHasEnded() {
        if phase == .live {
            endLive()
        } else if let held {
            self.held = nil
            isAbandoned = true
            held.peerEnded()
        }
    }

    /// Time has gone by for what waits.
    func tick(now: UInt64) {
        if !stream.isReading, stream.peerHasHungUp {
            // So much input waits behind the request that nothing is read, so nothing else tells.
            close()
        } else if let held {
            held.tick(now: now)
        } else if let live {
            live.tick(now: now)
        }
    }

    /// The server stops and it is the turn of what waits.
    func takeTurn() {
        now = server.clock()
        if let held {
            held.drain()
        } else if let live {
            live.drain()
            pumpLive()
            resume()
        }
    }
}
