import Dispatch
import Synchronization

/// Threads for what would hold up a loop: decoding large bodies, compressing large answers.
final class DecodingQueue: Sendable {
    private let queue = DispatchQueue(label: "medley.decoding", attributes: .concurrent)
    private let waiting = Mutex(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Carries out the work soon on another thread; `false`, and it is not, if too much waits already.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < limit else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { return false }
        queue.async {
            work()
            self.waiting.withLock { $0 -= 1 }
        }
        return true
    }
}
