import Glibc

/// The signals that ask a process to stop, or to read its files again, taken in order instead of interrupting a thread.
package enum StopSignals {
    /// Keeps SIGTERM, SIGINT and, if wanted, SIGHUP from this thread and from those that it starts afterwards; call it before any starts.
    package static func block(withHangUp: Bool = false) {
        var set = stopSet(withHangUp)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits until one of them arrives and returns its number. They must be blocked.
    package static func wait(withHangUp: Bool = false) -> Int32 {
        var set = stopSet(withHangUp)
        var signal: Int32 = 0
        while unsafe sigwait(&set, &signal) != 0 {}
        return signal
    }

    private static func stopSet(_ withHangUp: Bool) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        if withHangUp { unsafe sigaddset(&set, SIGHUP) }
        return set
    }
}
