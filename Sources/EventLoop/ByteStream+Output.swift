internal import CLibevent
import Glibc

extension ByteStream {
    /// What became of the output.
    package enum Flush: Hashable, Sendable {
        /// The system has all of it.
        case drained
        /// The rest is written when the socket can take it; `streamDidDrain` is called then.
        case pending
        /// The connection is lost; the caller closes the stream.
        case failed(EventLoopError)
    }

    /// Pieces up to this size are copied next to their neighbours; larger ones are shared.
    private static let copyLimit = 4096
    /// How many pieces one system call takes.
    private static let gatherLimit = 16

    /// Appends small output in place; nothing is sent before `flush`.
    package func gather<R>(_ body: (inout [UInt8]) -> R) -> R {
        if gathered.capacity == 0 { swap(&gathered, &loop.spareOutput) }
        let before = gathered.count
        defer { pendingOutput += gathered.count - before }
        return body(&gathered)
    }

    /// Appends a piece, shared if it is large; nothing is sent before `flush`.
    package func append(_ piece: [UInt8]) {
        guard piece.count > Self.copyLimit else {
            if !piece.isEmpty { gather { $0.append(contentsOf: piece) } }
            return
        }
        seal()
        queue.append(piece)
        pendingOutput += piece.count
    }

    /// Appends a piece and writes what the socket takes. If nothing waits, the piece goes to the system from where it is;
    /// what the socket does not take is kept by reference.
    package func write(_ piece: [UInt8]) -> Flush {
        guard isOpen, tls == nil, pendingOutput == 0, !piece.isEmpty else {
            append(piece)
            return flush()
        }
        let (count, code) = unsafe piece.withUnsafeBytes { raw in
            let count = unsafe Glibc.send(descriptor, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
            return (count, errno)
        }
        guard count >= 0 || code == EAGAIN || code == EINTR else {
            return .failed(EventLoopError(.connectionLost, "the connection is lost", cause: code))
        }
        let taken = max(0, count)
        bytesWritten &+= UInt64(taken)
        guard taken < piece.count else { return .drained }
        queue.append(piece)
        offset = taken
        pendingOutput = piece.count - taken
        return flush()
    }

    /// Writes what the socket takes.
    package func flush() -> Flush {
        guard isOpen else { return .failed(EventLoopError(.connectionLost, "the stream is closed")) }
        while pendingOutput > 0 {
            let (count, code) = send()
            if count < 0 {
                switch code {
                case EINTR: continue
                case EAGAIN:
                    // Output that comes before the end of a handshake goes out behind it.
                    if !isSecuring { requestWritable() }
                    return .pending
                default: return .failed(EventLoopError(.connectionLost, "the connection is lost", cause: code))
                }
            }
            advance(count)
        }
        return .drained
    }

    /// Forgets all output.
    func dropOutput() {
        queue = []
        queueStart = 0
        gathered = []
        offset = 0
        pendingOutput = 0
    }

    /// Makes what was gathered a piece of the queue.
    func seal() {
        guard !gathered.isEmpty else { return }
        queue.append(gathered)
        gathered = []
    }

    private func send() -> (count: Int, code: Int32) {
        if let tls { return send(by: tls) }
        let flags = Int32(MSG_NOSIGNAL)
        if queueStart == queue.count {
            return unsafe gathered.withUnsafeBytes { raw in
                let rest = unsafe raw[offset...]
                let count = unsafe Glibc.send(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
                return (count, errno)
            }
        }
        seal()
        let last = min(queue.count, queueStart + Self.gatherLimit)
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: last - queueStart) { vectors in
            unsafe gather(from: queueStart, to: last, into: vectors, flags)
        }
    }

    /// Fills in one vector for each piece, one call deeper for each, so that all pointers are valid at the send.
    private func gather(
        from index: Int, to last: Int, into vectors: UnsafeMutableBufferPointer<iovec>, _ flags: Int32
    ) -> (count: Int, code: Int32) {
        guard index < last else {
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = vectors.count
            let count = unsafe sendmsg(descriptor, &message, flags)
            return (count, errno)
        }
        return unsafe queue[index].withUnsafeBytes { raw in
            let skipped = index == queueStart ? offset : 0
            unsafe vectors[index - queueStart] = unsafe iovec(
                iov_base: UnsafeMutableRawPointer(mutating: raw.baseAddress?.advanced(by: skipped)),
                iov_len: raw.count - skipped)
            return unsafe gather(from: index + 1, to: last, into: vectors, flags)
        }
    }

    private func advance(_ count: Int) {
        pendingOutput -= count
        bytesWritten &+= UInt64(count)
        offset += count
        while queueStart < queue.count, offset >= queue[queueStart].count {
            offset -= queue[queueStart].count
            queue[queueStart] = []
            queueStart += 1
        }
        guard pendingOutput == 0 else { return }
        offset = 0
        if !queue.isEmpty {
            queue = []
            queueStart = 0
        }
        gathered.removeAll(keepingCapacity: true)
        // The buffer goes back to the loop, so that an idle connection holds none.
        if loop.spareOutput.capacity == 0, gathered.capacity <= EventLoop.readSize {
            swap(&gathered, &loop.spareOutput)
        } else {
            gathered = []
        }
    }
}
