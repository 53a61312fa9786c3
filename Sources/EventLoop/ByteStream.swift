internal import CLibevent
import Glibc

/// What a stream tells its owner, on the loop's thread.
package protocol ByteStreamHandler: AnyObject {
    /// Bytes came. Returns how many were used; the others are kept and come again, with what follows them.
    func streamDidReceive(_ bytes: Span<UInt8>) -> Int
    /// The handshake of a stream that speaks TLS is done.
    func streamDidSecure()
    /// What comes is no TLS, though it should be. The stream goes on without, to say so and end.
    func streamIsNotSecure()
    /// The peer sends no more; it may still read.
    func streamDidEnd()
    /// The connection is lost.
    func streamDidFail(_ error: EventLoopError)
    /// All output has been given to the system, after some of it had to wait.
    func streamDidDrain()
}

/// A connected TCP socket on a loop, plain or under TLS, with what was read and not yet used and what is to be written.
///
/// All of it is used on the loop's thread. An idle stream holds no buffer: reads go to one that the loop's streams
/// share, and output is gathered in one that the loop lends.
@safe package final class ByteStream {
    /// The peer's address and port.
    package let peer: String
    /// Who is told; a strong reference until `close`.
    package var handler: (any ByteStreamHandler)?
    /// How many bytes were read so far.
    package private(set) var bytesRead: UInt64 = 0
    /// How many bytes were given to the system so far.
    package internal(set) var bytesWritten: UInt64 = 0
    /// How many bytes wait to be written.
    @safe @exclusivity(unchecked) package internal(set) var pendingOutput = 0
    /// Whether the peer sends no more.
    package internal(set) var hasEnded = false

    // The buffers are this object's own, on one thread: the check for overlapping access would cost more than the access.
    let loop: EventLoop
    private(set) var descriptor: Int32
    /// What speaks TLS, `nil` on a plain stream.
    var tls: TLSSession?
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?
    private var isWaitingToWrite = false
    /// Whether nothing can be read before the socket has taken something.
    var readsAfterWrite = false
    /// Whether the end of the output is still to be told.
    private var isEndingOutput = false
    /// Has what TLS holds read in the loop's next turn.
    var again: LoopTimer?
    @safe @exclusivity(unchecked) private var input: [UInt8] = []
    private var inputStart = 0
    /// Small output, gathered; comes after all of `queue`.
    @safe @exclusivity(unchecked) var gathered: [UInt8] = []
    /// Where the unwritten part of the first piece (of `queue`, or of `gathered`) begins.
    var offset = 0
    /// Sealed output, from `queueStart` on.
    @safe @exclusivity(unchecked) var queue: [[UInt8]] = []
    var queueStart = 0

    /// Takes a connected, non-blocking socket.
    init(loop: EventLoop, descriptor: Int32, peer: String, tls: TLSSession?) {
        self.loop = loop
        self.descriptor = descriptor
        self.peer = peer
        self.tls = tls
        setOption(TCP_NODELAY, 1)
    }

    deinit {
        precondition(descriptor < 0, "a stream is closed before it goes")
    }

    /// Whether `close` was not called yet.
    package var isOpen: Bool { descriptor >= 0 }

    /// How many bytes were read and not used.
    package var bufferedInput: Int { input.count - inputStart }

    /// Whether the stream reads.
    package var isReading = false {
        didSet {
            guard isReading != oldValue, isOpen else { return }
            watchInput()
            if isReading, let tls, tls.holdsInput { readAgain() }
        }
    }

    /// Has the loop tell of input, or not any more.
    func watchInput() {
        if unsafe readEvent == nil {
            // SAFETY: `close` frees the event; the deinit requires it.
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe readEvent = unsafe loop.makeEvent(descriptor, EV_READ | EV_PERSIST, streamReadable, context)
        }
        if let event = unsafe readEvent {
            _ = unsafe isReading && !readsAfterWrite ? event_add(event, nil) : event_del(event)
        }
    }

    /// Gives the handler again what it did not use; not to be called from within `streamDidReceive`.
    package func redeliver() {
        guard isOpen, let handler, bufferedInput > 0 else { return }
        // The array is out of `self` while the handler runs, which may close the stream.
        var taken: [UInt8] = []
        swap(&taken, &input)
        var start = inputStart
        inputStart = 0
        start += handler.streamDidReceive(taken.span.extracting(start...))
        keep(&taken, from: start)
    }

    /// Reads what is there already, without waiting for the loop's next turn; not to be called from within the handler.
    package func readNow() {
        readable()
    }

    /// Waits until the socket can take output, then tells the handler by `streamDidDrain`, or goes on writing.
    package func requestWritable() {
        guard isOpen, !isWaitingToWrite else { return }
        if unsafe writeEvent == nil {
            // SAFETY: `close` frees the event; the deinit requires it.
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe writeEvent = unsafe loop.makeEvent(descriptor, EV_WRITE, streamWritable, context)
        }
        if let event = unsafe writeEvent { unsafe event_add(event, nil) }
        isWaitingToWrite = true
    }

    /// Tells the peer that no more output comes; all of it must have been written.
    package func shutdownOutput() {
        guard isOpen else { return }
        if let tls, !tls.sendClosure() {
            isEndingOutput = true
            requestWritable()
            return
        }
        isEndingOutput = false
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the peer has ended its side or is gone, asked of the system and without reading: for a stream that does not
    /// read, which is told nothing. One system call.
    package var peerHasHungUp: Bool {
        guard isOpen else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(MEDLEY_POLLRDHUP), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Bounds what the system keeps of output that the peer has no room for, in bytes; `nil` lifts the bound. Output that is
    /// made as it is taken is then no older than what fits.
    package func limitUnsent(to bytes: Int32?) {
        setOption(TCP_NOTSENT_LOWAT, bytes ?? 0)
    }

    /// Has the system give up the connection when the peer takes nothing of what was sent for so long, in milliseconds:
    /// little output is taken by the system even if the peer is not there any more.
    package func limitUnacknowledged(milliseconds: Int32) {
        setOption(TCP_USER_TIMEOUT, milliseconds)
    }

    private func setOption(_ option: Int32, _ value: Int32) {
        guard isOpen else { return }
        var value = value
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Closes the socket and lets go of the handler and all buffers; twice is harmless.
    ///
    /// The peer of a stream under TLS is told that this is the end, unless output is left or the stream `isCut`: then it
    /// can tell that something is missing.
    package func close(isCut: Bool = false) {
        guard isOpen else { return }
        if let tls, !isCut, pendingOutput == 0 { _ = tls.sendClosure() }
        tls = nil
        again?.cancel()
        again = nil
        if let event = unsafe readEvent { unsafe event_free(event) }
        if let event = unsafe writeEvent { unsafe event_free(event) }
        unsafe readEvent = nil
        unsafe writeEvent = nil
        Glibc.close(descriptor)
        descriptor = -1
        handler = nil
        input = []
        inputStart = 0
        dropOutput()
    }

    func readable() {
        guard isOpen, let handler else { return }
        if let tls, !tls.isEstablished, !shakeHands(tls, handler) { return }
        let (count, code) = receive()
        guard count > 0 else {
            if count == 0 {
                isReading = false
                hasEnded = true
                handler.streamDidEnd()
            } else if code != EAGAIN && code != EINTR {
                handler.streamDidFail(EventLoopError(.connectionLost, "the connection is lost", cause: code))
            }
            return
        }
        bytesRead &+= UInt64(count)
        let read = unsafe UnsafeBufferPointer(
            start: loop.scratch.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
        guard input.isEmpty else {
            unsafe input.append(contentsOf: read)
            redeliver()
            return
        }
        // SAFETY: the loop's buffer is written by reads only, and no read happens within this call.
        let span = unsafe Span(_unsafeElements: read)
        let used = handler.streamDidReceive(span)
        if used < count, isOpen {
            unsafe input.append(contentsOf: read[used...])
        }
    }

    private func receive() -> (count: Int, code: Int32) {
        guard let tls else {
            let count = unsafe recv(descriptor, loop.scratch.baseAddress, loop.scratch.count, 0)
            return (count, errno)
        }
        let input = unsafe tls.read(into: loop.scratch)
        if input.comesAgain { readAgain() }
        if input.wantsOutput { readAfterWrite() }
        return (input.count, input.code)
    }

    /// Takes back what was not used of the buffered input.
    private func keep(_ taken: inout [UInt8], from start: Int) {
        guard isOpen, start < taken.count else { return }
        precondition(input.isEmpty, "input came while the handler ran")
        if start > taken.count / 2 {
            taken.removeFirst(start)
        } else {
            inputStart = start
        }
        swap(&taken, &input)
    }

    fileprivate func writable() {
        isWaitingToWrite = false
        guard isOpen, let handler else { return }
        if readsAfterWrite {
            readsAfterWrite = false
            watchInput()
            readable()
            guard isOpen else { return }
        }
        if isEndingOutput { shutdownOutput() }
        switch flush() {
        case .drained: handler.streamDidDrain()
        case .pending: break
        case .failed(let error): handler.streamDidFail(error)
        }
    }
}

private func streamReadable(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    // SAFETY: the stream frees its events before it goes.
    unsafe Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue().readable()
}

private func streamWritable(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    // SAFETY: the stream frees its events before it goes.
    unsafe Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue().writable()
}
