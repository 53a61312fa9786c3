internal import CLibevent
import Glibc

/// A signal between threads that one can wait for: once raised it stays so.
package final class Signal: Sendable {
    private let descriptor: Int32

    /// Creates a signal that is not raised.
    package init() throws(EventLoopError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw EventLoopError(.loopNotMade, "no descriptor for a signal", cause: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Raises the signal; any thread.
    package func raise() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Waits until the signal is raised, at most so many nanoseconds (`nil`: for ever), and says whether it is.
    package func wait(nanoseconds: UInt64? = nil) -> Bool {
        let deadline = nanoseconds.map { EventLoop.now().addingReportingOverflow($0).partialValue }
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let now = EventLoop.now()
                let left = deadline > now ? deadline - now : 0
                milliseconds = Int32(clamping: (left + 999_999) / 1_000_000)
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            if count == 0 { return false }
            if errno != EINTR { return false }
        }
    }
}
