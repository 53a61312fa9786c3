internal import CLibevent
import Glibc

/// Accepts the connections of one listening socket on one loop; all of it is used on the loop's thread.
@safe package final class Listener {
    /// How many connections one wake-up takes before other events have their turn.
    private static let batch = 64
    /// How long accepting pauses when the process or the system is out of descriptors.
    private static let pause: UInt64 = 100_000_000

    private let loop: EventLoop
    private let identity: TLSIdentity?
    private let accept: (ByteStream) -> Void
    private var socket: ListeningSocket?
    private var event: OpaquePointer?
    private var resume: LoopTimer?

    /// Starts to accept; each connection is given to `accept` as a stream that does not read yet. With an identity the
    /// streams speak TLS.
    package init(
        loop: EventLoop, socket: ListeningSocket, identity: TLSIdentity? = nil, accept: @escaping (ByteStream) -> Void
    ) {
        self.loop = loop
        self.identity = identity
        self.socket = socket
        self.accept = accept
        // SAFETY: `close` frees the event; the deinit requires it.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = unsafe loop.makeEvent(socket.descriptor, EV_READ | EV_PERSIST, listenerReady, context)
        setAccepting(true)
    }

    deinit {
        unsafe precondition(event == nil, "a listener is closed before it goes")
    }

    /// Takes what already waits in the socket's queue and stops; twice is harmless.
    package func close() {
        guard let event = unsafe event else { return }
        // What waits is answered rather than reset, a backlog of it at most: under a flood there is always one more.
        var left = 4_096
        while left > 0, acceptOne() == .accepted { left -= 1 }
        unsafe event_free(event)
        unsafe self.event = nil
        resume?.cancel()
        resume = nil
        socket = nil
    }

    private enum Outcome {
        case accepted, empty, exhausted
    }

    fileprivate func ready() {
        for _ in 0..<Self.batch {
            switch acceptOne() {
            case .accepted: continue
            case .empty: return
            case .exhausted:
                // The socket stays readable, so watching it on would spin until a descriptor is free.
                setAccepting(false)
                let timer = LoopTimer(loop: loop) { [unowned self] in setAccepting(true) }
                resume = timer
                timer.schedule(afterNanoseconds: Self.pause)
                return
            }
        }
    }

    private func acceptOne() -> Outcome {
        guard let socket else { return .empty }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let (number, code) = unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let number = unsafe accept4(socket.descriptor, address, &length, flags)
                return (number, errno)
            }
        }
        guard number >= 0 else {
            switch code {
            case EAGAIN: return .empty
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .accepted  // the connection was gone again, or a signal came: look at the next
            }
        }
        accept(
            ByteStream(
                loop: loop, descriptor: number, peer: SocketAddress(storage)?.description ?? "",
                tls: identity?.session(for: number)))
        return .accepted
    }

    private func setAccepting(_ accepting: Bool) {
        guard let event = unsafe event else { return }
        _ = unsafe accepting ? event_add(event, nil) : event_del(event)
    }
}

private func listenerReady(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    // SAFETY: the listener frees its event before it goes.
    unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue().ready()
}
