internal import CLibevent
import Glibc

/// A timer of a loop; all of it is used on the loop's thread.
@safe package final class LoopTimer {
    private let loop: EventLoop
    private let action: () -> Void
    private var event: OpaquePointer?

    /// Creates a timer that is not set.
    package init(loop: EventLoop, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }

    /// Sets the timer to call its action once, so many nanoseconds from now; a time that was set before is dropped.
    package func schedule(afterNanoseconds nanoseconds: UInt64) {
        if unsafe event == nil {
            // SAFETY: the event goes with the timer, or before it by `cancel`.
            let context = unsafe Unmanaged.passUnretained(self).toOpaque()
            unsafe event = unsafe loop.makeEvent(-1, 0, timerFired, context)
        }
        var interval = timeval(
            tv_sec: Int(clamping: nanoseconds / 1_000_000_000),
            tv_usec: Int(nanoseconds % 1_000_000_000) / 1_000)
        if let event = unsafe event { unsafe event_add(event, &interval) }
    }

    /// Unsets the timer and lets go of the loop's event. Before the loop ends, every timer must be cancelled or gone.
    package func cancel() {
        if let event = unsafe event { unsafe event_free(event) }
        unsafe event = nil
    }

    fileprivate func fire() { action() }
}

private func timerFired(_ descriptor: Int32, _ what: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    // SAFETY: the timer frees its event before it goes.
    unsafe Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
