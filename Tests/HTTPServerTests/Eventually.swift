import EventLoop
import Glibc
import Testing

/// Waits until something holds that another thread brings about; gives up after 20 seconds.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool
) rethrows {
    let end = EventLoop.now() + 20_000_000_000
    while try !holds() {
        guard EventLoop.now() < end else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        sched_yield()
    }
}
