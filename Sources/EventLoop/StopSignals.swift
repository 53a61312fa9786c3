import Glibc

/// The signals that ask a process to stop, taken in order instead of interrupting a thread.
package enum StopSignals {
    /// Keeps SIGTERM and SIGINT from this thread and from those that it starts afterwards; call it before any starts.
    package static func block() {
        var set = stopSet()
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits until one of them arrives and returns its number. They must be blocked.
    package static func wait() -> Int32 {
        var set = stopSet()
        var signal: Int32 = 0
        while unsafe sigwait(&set, &signal) != 0 {}
        return signal
    }

    private static func stopSet() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        return set
    }
}
