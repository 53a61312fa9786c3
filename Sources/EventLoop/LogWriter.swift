import Dispatch
import Glibc
import Synchronization

/// Writes the operator's lines to a descriptor, on a thread of its own: whoever logs never waits for a pipe that nobody
/// reads, and a reader that has gone ends nothing.
package final class LogWriter: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "medley.log", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var waiting = 0
        var dropped = 0
    }

    /// The most lines that wait; more are dropped and counted.
    private static let mostWaiting = 1_000

    /// Creates a writer. A process that uses one ignores SIGPIPE from then on.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Has a line written; any thread, never blocks.
    package func write(_ line: String) {
        let isTaken = state.withLock { state in
            guard state.waiting < Self.mostWaiting else {
                state.dropped += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard isTaken else { return }
        queue.async {
            let dropped = self.state.withLock { state in
                state.waiting -= 1
                defer { state.dropped = 0 }
                return state.dropped
            }
            if dropped > 0 { self.put("\(dropped) lines could not be written here") }
            self.put(line)
        }
    }

    /// Returns once everything is written, or after so many seconds.
    package func flush(within seconds: Double) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + seconds)
    }

    private func put(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }
}
