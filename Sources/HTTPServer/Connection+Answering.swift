import EventLoop
import HTTPCore

extension Connection {
    /// How much of a streamed body is produced before the socket is asked, in bytes.
    private static let streamBuffer = 65_536
    /// How much of a streamed body one turn writes before other connections have theirs, in bytes.
    static let streamTurn = 65_536
    /// How much of a streamed body is produced at once: what is small needs no turn of its own, and of many that ask for much
    /// at the same time each costs no more than this before those are answered who ask for little.
    private static let firstTurn = 16_384

    /// A head is there: asks whether its body may come.
    func begin(_ head: consuming RequestHead, bodyHasCome: Bool) {
        head.isSecure = stream.isSecure
        if isFromProxy { server.configuration.proxies.resolve(&head) }
        let id = head.requestID ?? server.makeRequestID()
        head.requestID = id
        exchange.id = id
        exchange.isHead = head.method == "HEAD"
        exchange.isHTTP10 = head.isHTTP10
        exchange.keepsAlive = head.keepsAlive
        exchange.started = now
        if server.isObserved {
            exchange.method = head.method
            exchange.path = head.path
            exchange.forwardedFor = head.forwardedFor
        }
        server.counters.requests.add(1)
        let hasBody = head.framing != .none && head.framing != .length(0)
        switch server.handler.admit(head) {
        case .accept(let limit, let admitted):
            if hasBody {
                if let refusal = parser.limitBody(to: limit) {
                    refuse(refusal)
                    return
                }
                if case .length(let length) = head.framing { body.reserveCapacity(min(length, Self.inputLimit)) }
                if head.expectsContinue, !bodyHasCome { stream.append(ResponseHead.continue) }
            }
            self.head = head
            self.admitted = admitted
        case .refuse(let response):
            if hasBody {
                // What follows is a body that nobody reads.
                closes = true
                number += 1
                respond(response)
            } else {
                earlyResponse = response
            }
        }
    }

    /// A part of the body is there: keeps it, if there is room for it beside those of others. What a small one takes is
    /// the connection's own.
    func receiveBody(_ part: Span<UInt8>) {
        let bytes = max(0, body.count + part.count - Self.inputLimit) - countedBody
        guard bytes <= 0 || server.arriving.enter(bytes) else {
            let limit = server.configuration.arrivingBytes
            refuse(Refusal(status: 503, detail: "too many large bodies are arriving", limit: limit))
            return
        }
        countedBody += max(0, bytes)
        body.append(part)
    }

    /// The body is no longer arriving.
    func forgetBody() {
        server.arriving.leave(countedBody)
        countedBody = 0
        body = []
    }

    /// A request is there with its body: has it answered.
    func complete() {
        number += 1
        if let response = earlyResponse {
            earlyResponse = nil
            respond(response)
            return
        }
        guard let head = head.take() else { return }
        phase = .handling
        var request = Request(head: head)
        request.admitted = admitted.take()
        swap(&request.body, &body)
        forgetBody()
        server.handler.handle(request, ConnectionReply(connection: self, number: number))
    }

    /// The handler's response to the request of that number; one that comes late or twice is dropped.
    func answer(_ number: UInt64, _ response: Response) {
        guard number == self.number, phase == .handling else {
            if number == lostNumber { observeLost(response) }
            return
        }
        if held != nil { held = nil }
        isAbandoned = false
        if !isFeeding { now = server.clock() }
        respond(response)
        resume()
    }

    /// Answers what the server does not take, and closes.
    func refuse(_ refusal: Refusal) {
        server.counters.refusals.add(1)
        if exchange.started == 0 { exchange.started = now }
        closes = true
        number += 1
        forgetBody()
        var response = server.handler.response(to: refusal)
        if refusal.status == 503, response.headers["Retry-After"] == nil { response.headers.add("Retry-After", "1") }
        respond(response)
    }

    /// Puts a response into the output: its head, and its body or the first pieces of it.
    private func respond(_ response: Response) {
        let isHTTP10 = exchange.isHTTP10
        let hasNoBody = StatusCode.hasNoBody(response.status)
        var framing = ResponseHead.Framing.none
        if !hasNoBody {
            switch response.body {
            case .empty: framing = .length(0)
            case .bytes(let bytes): framing = .length(bytes.count)
            case .stream(let source):
                if let length = source.length {
                    framing = .length(length)
                } else if isHTTP10 {
                    closes = true
                } else {
                    framing = .chunked
                }
            case .live:
                if isHTTP10 { closes = true } else { framing = .chunked }
            }
        }
        if server.isDraining || !exchange.keepsAlive { closes = true }
        let persistence: ResponseHead.Persistence = closes ? .close : isHTTP10 ? .keepAlive : .implicit
        let id = exchange.id ?? server.makeRequestID()
        server.appendHead(of: response, id, framing, persistence, to: stream)
        exchange.id = id
        exchange.status = response.status
        exchange.caller = response.caller
        guard !hasNoBody, !exchange.isHead else {
            finish()
            return
        }
        switch response.body {
        case .empty: finish()
        case .bytes(let bytes):
            exchange.bodyBytes = bytes.count
            stream.append(bytes)
            finish()
        case .stream(let source):
            pieces = source.makePieces()
            exchange.framing = framing
            phase = .streaming
            pump(Self.firstTurn)
        case .live(let source):
            exchange.framing = framing
            begin(source)
        }
    }

    /// Produces pieces for as long as the socket takes them, or until the turn has had so many bytes.
    func pump(_ most: Int = streamTurn) {
        let turn = stream.bytesWritten &+ UInt64(most)
        while phase == .streaming {
            var endsTurn = false
            while phase == .streaming, !endsTurn, stream.pendingOutput < min(Self.streamBuffer, most) {
                producePiece()
                endsTurn = pieces?.endsTurn ?? false
            }
            guard phase != .closed else { return }
            switch stream.flush() {
            case .pending: return
            case .failed:
                close()
                return
            case .drained:
                if phase == .streaming, endsTurn || stream.bytesWritten >= turn {
                    waitForTurn()
                    return
                }
            }
        }
    }

    private func producePiece() {
        guard let piece = pieces?.next() else {
            switch exchange.framing {
            case .length(let length) where length != exchange.bodyBytes:
                // The client was promised more: only a cut connection tells it that this is not all.
                close()
                return
            case .chunked: stream.gather { $0 += Self.lastChunk }
            case .length, .none: break
            }
            finish()
            return
        }
        exchange.bodyBytes += piece.count
        switch exchange.framing {
        case .length(let length) where exchange.bodyBytes > length: close()
        case .chunked where !piece.isEmpty:
            stream.gather { ResponseHead.appendChunkLine(to: &$0, count: piece.count) }
            stream.append(piece)
            stream.gather { $0 += Self.lineEnd }
        case .length, .none, .chunked: stream.append(piece)
        }
    }

    /// The response is produced to its end: the next request may be read, or the connection closes.
    func finish() {
        observeWhenSent()
        pieces = nil
        head = nil
        admitted = nil
        exchange = Exchange()
        phase = closes || server.isDraining ? .closing : .reading
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let lineEnd = Array("\r\n".utf8)
}
