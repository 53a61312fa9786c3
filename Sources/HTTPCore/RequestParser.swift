/// Turns bytes into requests or a refusal, by RFC 9110 and 9112 and strictly: what two readers could understand in two
/// ways is refused. It does no I/O and gives the same result however the bytes are split.
///
/// The caller gives what it has and where it stands in it. What the parser has not passed yet must be given again, with
/// what follows. After a refusal there is nothing but the same refusal.
package struct RequestParser: ~Copyable, Sendable {
    /// What was found.
    package enum Step: Sendable {
        /// Nothing more can be said without more bytes.
        case needMore
        /// A request line and its header fields. Its body, if any, follows, and `end` in any case.
        case head(RequestHead)
        /// A piece of the body, as a range of the bytes given; never empty.
        case body(Range<Int>)
        /// The request is complete; the next may follow.
        case end
        /// The bytes are no request that this server takes; the connection is of no use any more.
        case refused(Refusal)
    }

    enum State {
        case requestLine
        case headers
        case length(left: Int)
        case chunkLine
        case chunkData(left: Int)
        case chunkEnd
        case trailers
        case end
        case refused(Refusal)
    }

    let limits: RequestLimits
    var state = State.requestLine
    /// How many bytes from the position on were looked at without finding a line's end.
    var scanned = 0
    var draft: RequestDraft
    private let peer: String
    /// Whether an empty line before the request line was passed over (RFC 9112, 2.2 asks for at least one).
    private var hasSkippedLine = false
    /// Bytes and number of the fields of this head, or of these trailers.
    private var fieldBytes = 0
    private var fieldCount = 0
    private var extensionBytes = 0
    private var bodyLimit: Int
    private var bodyBytes = 0

    /// Creates a parser for one connection; the peer goes into its heads.
    package init(limits: RequestLimits = RequestLimits(), peer: String = "") {
        self.limits = limits
        self.peer = peer
        draft = RequestDraft()
        bodyLimit = limits.body
    }

    /// Whether no part of a request was taken yet since the last `end`.
    package var isBetweenRequests: Bool {
        if case .requestLine = state { return true }
        return false
    }

    /// Sets how long the body of the current request may be. Called after `head`; returns the refusal if the length that
    /// was announced is more already.
    package mutating func limitBody(to limit: Int) -> Refusal? {
        bodyLimit = limit
        if case .length(let left) = state, left > limit {
            let refusal = Self.bodyTooLarge(limit)
            state = .refused(refusal)
            return refusal
        }
        return nil
    }

    /// The next thing in the bytes from `position` on, which moves past what it took.
    package mutating func next(_ bytes: Span<UInt8>, at position: inout Int) -> Step {
        do throws(Refusal) {
            while true {
                switch state {
                case .requestLine:
                    let limit = limits.requestLine
                    guard let line = try line(bytes, &position, limit, Self.longLine(limit)) else { return .needMore }
                    if line.isEmpty, !hasSkippedLine {
                        hasSkippedLine = true
                        continue
                    }
                    try draft.readRequestLine(bytes, line)
                    state = .headers
                case .headers:
                    guard let line = try fieldLine(bytes, &position) else { return .needMore }
                    if line.isEmpty { return .head(try finishHead()) }
                    try draft.readField(bytes, line)
                case .length(let left):
                    guard position < bytes.count else { return .needMore }
                    let count = min(left, bytes.count - position)
                    state = left == count ? .end : .length(left: left - count)
                    position += count
                    return .body(position - count..<position)
                case .chunkLine, .chunkData, .chunkEnd, .trailers:
                    guard let step = try nextOfChunked(bytes, &position) else { continue }
                    return step
                case .end:
                    reset()
                    return .end
                case .refused(let refusal):
                    return .refused(refusal)
                }
            }
        } catch {
            state = .refused(error)
            return .refused(error)
        }
    }

    /// A step within a chunked body (RFC 9112, 7.1); `nil` if only the state has changed.
    private mutating func nextOfChunked(
        _ bytes: Span<UInt8>, _ position: inout Int
    ) throws(Refusal) -> Step? {
        switch state {
        case .chunkLine:
            let limit = limits.chunkLine
            guard let line = try line(bytes, &position, limit, Self.longChunkLine(limit)) else { return .needMore }
            let size = try chunkSize(bytes, line)
            guard size <= bodyLimit - bodyBytes else { throw Self.bodyTooLarge(bodyLimit) }
            bodyBytes += size
            (fieldBytes, fieldCount) = (0, 0)
            state = size == 0 ? .trailers : .chunkData(left: size)
        case .chunkData(let left):
            guard position < bytes.count else { return .needMore }
            let count = min(left, bytes.count - position)
            state = left == count ? .chunkEnd : .chunkData(left: left - count)
            position += count
            return .body(position - count..<position)
        case .chunkEnd:
            guard let line = try line(bytes, &position, 0, Self.badChunkEnd) else { return .needMore }
            guard line.isEmpty else { throw Self.badChunkEnd }
            state = .chunkLine
        default:
            guard let line = try fieldLine(bytes, &position) else { return .needMore }
            if line.isEmpty {
                state = .end
            } else {
                _ = try RequestDraft.splitField(bytes, line)
            }
        }
        return nil
    }

    /// The next line without its CRLF, at most `limit` bytes long; `nil` if it is not complete.
    private mutating func line(
        _ bytes: Span<UInt8>, _ position: inout Int, _ limit: Int, _ tooLong: @autoclosure () -> Refusal
    ) throws(Refusal) -> Range<Int>? {
        // The outcome is that of the first byte, in their order, that decides: so it is the same for every split.
        let end = min(bytes.count, position + limit + 1)
        var index = position + scanned
        while true {
            index = ByteClass.firstControl(in: bytes, index..<end)
            guard index < end else { break }
            switch bytes[index] {
            case ByteClass.carriageReturn:
                guard index + 1 < bytes.count else {
                    scanned = index - position
                    return nil
                }
                guard bytes[index + 1] == ByteClass.lineFeed else {
                    throw Refusal(status: 400, detail: "a carriage return without a line feed after it")
                }
                defer {
                    position = index + 2
                    scanned = 0
                }
                return position..<index
            case ByteClass.tab where allowsTab:
                index += 1
            case ByteClass.lineFeed:
                throw Refusal(status: 400, detail: "a line feed without a carriage return before it")
            default:
                throw Refusal(status: 400, detail: "a control character outside the body")
            }
        }
        if index > position + limit { throw tooLong() }
        scanned = index - position
        return nil
    }

    private var allowsTab: Bool {
        if case .requestLine = state { return false }
        return true
    }

    /// The next line of the header or trailer section, counted.
    private mutating func fieldLine(_ bytes: Span<UInt8>, _ position: inout Int) throws(Refusal) -> Range<Int>? {
        let limit = limits.headerBytes
        guard let line = try line(bytes, &position, limit - fieldBytes, Self.longFields(limit)) else { return nil }
        guard !line.isEmpty else { return line }
        fieldBytes = min(limit, fieldBytes + line.count + 2)
        fieldCount += 1
        guard fieldCount <= limits.headerCount else {
            throw Refusal(status: 431, detail: "too many header fields", limit: limits.headerCount)
        }
        return line
    }

    private mutating func finishHead() throws(Refusal) -> RequestHead {
        let head = try draft.finish(peer: peer)
        switch head.framing {
        case .none, .length(0): state = .end
        case .length(let length): state = .length(left: length)
        case .chunked: state = .chunkLine
        }
        return head
    }

    private mutating func chunkSize(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) -> Int {
        var size = 0
        var index = line.lowerBound
        while index < line.upperBound, let digit = ByteClass.hexValue(bytes[index]) {
            // A size beyond what a number can hold is beyond every limit.
            guard size <= Int.max >> 4 else { throw Self.bodyTooLarge(bodyLimit) }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > line.lowerBound else { throw Refusal(status: 400, detail: "a chunk without a size") }
        guard index < line.upperBound else { return size }
        guard bytes[index] == UInt8(ascii: ";") else {
            throw Refusal(status: 400, detail: "a chunk's size is not a hexadecimal number")
        }
        extensionBytes += line.upperBound - index
        guard extensionBytes <= limits.chunkExtensions else {
            throw Refusal(status: 400, detail: "too many chunk extensions", limit: limits.chunkExtensions)
        }
        return size
    }

    private mutating func reset() {
        state = .requestLine
        draft = RequestDraft()
        hasSkippedLine = false
        (fieldBytes, fieldCount, extensionBytes, bodyBytes) = (0, 0, 0, 0)
        bodyLimit = limits.body
    }

    private static func bodyTooLarge(_ limit: Int) -> Refusal {
        Refusal(status: 413, detail: "the body is longer than \(limit) bytes", limit: limit)
    }

    private static func longFields(_ limit: Int) -> Refusal {
        Refusal(status: 431, detail: "the header fields are longer than \(limit) bytes", limit: limit)
    }

    private static func longLine(_ limit: Int) -> Refusal {
        Refusal(status: 414, detail: "the request line is longer than \(limit) bytes", limit: limit)
    }

    private static func longChunkLine(_ limit: Int) -> Refusal {
        Refusal(status: 400, detail: "the line before a chunk is longer than \(limit) bytes", limit: limit)
    }

    private static let badChunkEnd = Refusal(status: 400, detail: "a chunk is not as long as its size says")
}
