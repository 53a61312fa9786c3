internal import CLibevent
import Glibc
import Synchronization

/// One libevent base and the one thread that runs it.
///
/// `execute`, `isCurrent`, `start`, `stop` and `join` may be called from any thread; everything that is attached to a
/// loop (`Listener`, `ByteStream`, `LoopTimer`) is used on its thread only.
// SAFETY: `base`, `scratch`, `spareOutput` and `record` are touched on the loop's thread only; the rest is immutable, atomic or
// under a mutex. `thread` is written by `start` and read by `join`, both called by the one owner.
@safe package final class EventLoop: @unchecked Sendable {
    /// How much one read may take, in bytes.
    package static let readSize = 65_536

    private struct Inbox {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private let name: String
    private let wakeUp: Int32
    private let inbox = Mutex(Inbox())
    private let owner = Atomic<UInt>(0)
    private let failure = Mutex<EventLoopError?>(nil)
    private let ready: Signal
    private var thread: pthread_t?
    private var base: OpaquePointer?
    private var running: [@Sendable () -> Void] = []
    /// What streams read into; used within one callback only.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventLoop.readSize, alignment: 16)
    /// An empty output buffer with capacity, lent to the stream that is writing.
    @safe @exclusivity(unchecked) var spareOutput: [UInt8] = []
    /// Where small pieces are put together for one record of TLS; used within one call only.
    @safe @exclusivity(unchecked) var record: [UInt8] = []

    /// Creates a loop that does not run yet; the name is its thread's, at most 15 bytes.
    package init(name: String) throws(EventLoopError) {
        self.name = name
        ready = try Signal()
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0 else { throw EventLoopError(.loopNotMade, "no descriptor for a loop", cause: errno) }
    }

    deinit {
        close(wakeUp)
        unsafe scratch.deallocate()
    }

    /// Starts the thread and returns when its base is there.
    package func start() throws(EventLoopError) {
        precondition(thread == nil, "a loop is started once")
        var created = pthread_t()
        // SAFETY: the retain is given to the thread, which takes it back in `runLoop`.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let code = unsafe pthread_create(&created, nil, runLoop, context)
        guard code == 0 else {
            // SAFETY: no thread took the retain.
            unsafe Unmanaged<EventLoop>.fromOpaque(context).release()
            throw EventLoopError(.loopNotMade, "no thread for a loop", cause: code)
        }
        thread = created
        _ = ready.wait()
        if let error = failure.withLock({ $0 }) {
            join()
            throw error
        }
    }

    /// Runs a job on the loop's thread, after those that were given before; any thread. Says whether it will run: a
    /// loop that has ended takes no jobs.
    @discardableResult
    package func execute(_ job: @escaping @Sendable () -> Void) -> Bool {
        let (taken, wakes) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.jobs.append(job)
            return (true, inbox.jobs.count == 1)
        }
        if wakes {
            var one: UInt64 = 1
            _ = unsafe write(wakeUp, &one, 8)
        }
        return taken
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Ends the loop after the jobs that were given before; any thread.
    package func stop() {
        execute { [self] in
            if let base = unsafe base { unsafe event_base_loopbreak(base) }
        }
    }

    /// Waits until the thread has ended; not on the loop itself.
    package func join() {
        guard let thread else { return }
        precondition(!isCurrent, "a loop cannot wait for itself")
        pthread_join(thread, nil)
        self.thread = nil
    }

    /// The monotonic clock in nanoseconds; any thread.
    package static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The wall clock in whole seconds since 1970; any thread.
    package static func wallSeconds() -> Int { time(nil) }

    /// The wall clock in milliseconds since 1970; any thread.
    package static func wallMilliseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }

    /// A new event of this loop; on its thread.
    func makeEvent(
        _ descriptor: Int32, _ what: Int32, _ callback: @escaping event_callback_fn, _ context: UnsafeMutableRawPointer?
    ) -> OpaquePointer {
        precondition(isCurrent, "events are made on the loop's thread")
        guard let base = unsafe base, let event = unsafe event_new(base, descriptor, Int16(what), callback, context)
        else { preconditionFailure("out of memory for an event, or the loop has ended") }
        return unsafe event
    }

    fileprivate func run() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        _ = unsafe pthread_setname_np(pthread_self(), name)
        guard let made = unsafe Self.makeBase() else {
            failure.withLock { $0 = EventLoopError(.loopNotMade, "libevent made no base") }
            ready.raise()
            return
        }
        unsafe base = unsafe made
        // SAFETY: `runLoop` holds a reference for as long as the base lives.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let wake = unsafe makeEvent(wakeUp, EV_READ | EV_PERSIST, loopWoken, context)
        unsafe event_add(wake, nil)
        ready.raise()
        unsafe event_base_loop(made, EVLOOP_NO_EXIT_ON_EMPTY)
        inbox.withLock { $0.isClosed = true }
        runJobs()
        unsafe event_free(wake)
        unsafe event_base_free(made)
        unsafe base = nil
        owner.store(0, ordering: .relaxed)
    }

    fileprivate func woken() {
        var count: UInt64 = 0
        _ = unsafe read(wakeUp, &count, 8)
        runJobs()
    }

    private func runJobs() {
        // The two arrays change places, so that neither is allocated anew each time.
        inbox.withLock { swap(&$0.jobs, &running) }
        for job in running { job() }
        running.removeAll(keepingCapacity: running.capacity <= 1024)
    }

    private static func makeBase() -> OpaquePointer? {
        guard let configuration = unsafe event_config_new() else { return nil }
        defer { unsafe event_config_free(configuration) }
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST.rawValue
        unsafe event_config_set_flag(configuration, Int32(flags))
        return unsafe event_base_new_with_config(configuration)
    }
}

private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // SAFETY: `start` gave its retain to this thread.
    let loop = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
    loop.run()
    return nil
}

private func loopWoken(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    // SAFETY: the loop outlives its events.
    unsafe Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().woken()
}
