import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor, many at a time, on a thread of its own: whoever logs never waits for a pipe that nobody
/// reads, and a reader that has gone ends nothing.
///
/// Lines come whole and in the order in which they were given, also where another process writes to the same pipe. What
/// waits is bounded: lines beyond that are dropped and counted, as are those that an error keeps back.
package final class LogWriter: Sendable {
    /// What becomes of lines that nobody takes.
    package enum Loss: Hashable, Sendable {
        /// From now on lines are dropped.
        case begins
        /// So many lines were dropped, and now lines are taken again, or no more come.
        case ended(Int)
    }

    private struct State {
        /// Whole lines, each with its end.
        var waiting: [UInt8] = []
        /// An empty buffer with room.
        var spare: [UInt8] = []
        /// Whether a batch is on its way.
        var isScheduled = false
        /// Lines that nobody has been told of.
        var dropped = 0
        /// Whether the last write failed. What is lost is told only once a write has succeeded.
        var isFailing = false
        /// Whether the last thing that was written is a part of a line.
        var isTorn = false
    }

    /// What the system writes to a pipe in one piece, in bytes (POSIX's `PIPE_BUF`, as Linux has it).
    private static let pipePiece = 4_096

    private let descriptor: Int32
    private let capacity: Int
    private let delay: Double
    private let onLoss: (@Sendable (Loss) -> Void)?
    private let isPipe: Bool
    private let queue = DispatchQueue(label: "medley.log", qos: .utility)
    private let state = Mutex(State())

    /// Creates a writer. A process that uses one ignores SIGPIPE from then on.
    ///
    /// - Parameters:
    ///   - capacity: the most bytes that wait.
    ///   - delay: how long lines wait for others to be written with, in seconds.
    ///   - onLoss: told of lines that are dropped, on any thread; without it a line among the others tells.
    package init(
        _ descriptor: Int32, capacity: Int = 1 << 18, delay: Double = 0, onLoss: (@Sendable (Loss) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.delay = delay
        self.onLoss = onLoss
        var status = stat()
        isPipe = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Has a line written; any thread, never blocks.
    package func write(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Has bytes written, which are whole lines with their ends; any thread, never blocks. O(bytes), and allocates nothing
    /// once it has been used for a while.
    package func write(_ lines: [UInt8]) {
        let (isFirst, isFirstLoss) = state.withLock { state in
            guard state.waiting.isEmpty || state.waiting.count + lines.count <= capacity else {
                state.dropped += 1
                return (false, state.dropped == 1)
            }
            state.waiting += lines
            defer { state.isScheduled = true }
            return (!state.isScheduled, false)
        }
        if isFirst { schedule() }
        if isFirstLoss { onLoss?(.begins) }
    }

    /// Returns once everything is written, or lost and told of, or after so many seconds.
    package func flush(within seconds: Double) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            while self.writeBatch() {}
            if self.onLoss != nil { self.tellEndOfLoss() }
            done.signal()
        }
        _ = done.wait(timeout: .now() + seconds)
    }

    private func schedule() {
        let work = { @Sendable in
            _ = self.writeBatch()
            let goesOn = self.state.withLock { state in
                state.isScheduled = !state.waiting.isEmpty
                return state.isScheduled
            }
            if goesOn { self.schedule() }
        }
        if delay > 0 { queue.asyncAfter(deadline: .now() + delay, execute: work) } else { queue.async(execute: work) }
    }

    /// Writes what waits; says whether there was anything. On the queue.
    private func writeBatch() -> Bool {
        var (batch, dropped, isTorn, isFailing) = state.withLock { state in
            var batch: [UInt8] = []
            swap(&batch, &state.waiting)
            swap(&state.waiting, &state.spare)
            return (batch, state.dropped, state.isTorn, state.isFailing)
        }
        guard !batch.isEmpty else { return false }
        // Where the lines of those who log stand in the batch.
        var own = 0..<batch.count
        if isTorn {
            batch.insert(UInt8(ascii: "\n"), at: 0)
            own = 1..<batch.count
        }
        if onLoss != nil {
            // A reader may take its time for the batch; that it has come back is told before.
            if !isFailing { tellEndOfLoss() }
        } else if dropped > 0 {
            batch += Array("\(dropped) lines could not be written here\n".utf8)
        }
        let written = put(batch)
        let isWhole = written == batch.count
        let lost = batch[own].suffix(from: min(max(own.lowerBound, written), own.upperBound))
            .count { $0 == UInt8(ascii: "\n") }
        if written > 0 { isTorn = batch[written - 1] != UInt8(ascii: "\n") }
        batch.removeAll(keepingCapacity: batch.capacity <= 2 * capacity)
        let isFirstLoss = state.withLock { state in
            if isWhole, onLoss == nil { state.dropped -= dropped }
            state.dropped += lost
            state.isFailing = !isWhole
            state.isTorn = isTorn
            swap(&state.spare, &batch)
            return lost > 0 && state.dropped == lost
        }
        if isFirstLoss { onLoss?(.begins) }
        if isFailing, isWhole, onLoss != nil { tellEndOfLoss() }
        return true
    }

    /// Tells how many lines were dropped, if any were. On the queue.
    private func tellEndOfLoss() {
        let dropped = state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
        if dropped > 0 { onLoss?(.ended(dropped)) }
    }

    /// Writes whole lines; returns how many bytes of them were written before an error kept back the rest, if one did.
    private func put(_ bytes: [UInt8]) -> Int {
        var start = 0
        while start < bytes.count {
            var end = bytes.count
            if isPipe, end - start > Self.pipePiece {
                let piece = bytes[start..<start + Self.pipePiece]
                end = (piece.lastIndex(of: UInt8(ascii: "\n")) ?? piece.endIndex - 1) + 1
            }
            while start < end {
                let (count, code) = unsafe bytes.withUnsafeBytes { raw in
                    let count = unsafe Glibc.write(descriptor, raw.baseAddress?.advanced(by: start), end - start)
                    return (count, errno)
                }
                if count > 0 {
                    start += count
                } else if count < 0, code == EAGAIN {
                    // Somebody made the descriptor non-blocking; this thread may wait.
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&entry, 1, -1)
                } else if count == 0 || code != EINTR {
                    return start
                }
            }
        }
        return start
    }
}
