import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request by URL loading, whose waiter leaves at once when it is cancelled.
///
/// In place of `URLSession.data(for:)`: that of FoundationNetworking cancels under the lock of the waiting Swift task and
/// waits for its queue meanwhile, while an answer on that queue waits for the same lock. Both then wait for ever.
final class LoadingTask: Sendable {
    typealias Answer = Result<(Data, URLResponse), any Error>

    private enum State {
        case idle
        case running(CheckedContinuation<Answer, Never>)
        case over
    }

    private let request: URLRequest
    private let session: LoadingSession
    private let state = Mutex(State.idle)
    private let task = Mutex<URLSessionDataTask?>(nil)

    /// Creates a task; nothing is sent yet.
    init(_ request: URLRequest, in session: LoadingSession) {
        self.request = request
        self.session = session
    }

    /// Sends the request and waits for the answer; once.
    func result() async throws -> (Data, URLResponse) {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            cancel()
        }
        return try answer.get()
    }

    private func start(_ continuation: CheckedContinuation<Answer, Never>) {
        let isCancelled = state.withLock { state in
            if case .over = state { return true }
            state = .running(continuation)
            return false
        }
        if isCancelled { return continuation.resume(returning: .failure(CancellationError())) }
        let loading = session.task(request, for: self)
        task.withLock { $0 = loading }
        loading.resume()
        // It may have been cancelled before there was anything to cancel.
        if case .over = state.withLock({ $0 }) { stopLoading() }
    }

    /// Hands the outcome to the waiter, if it still waits.
    func end(_ answer: sending Answer) {
        task.withLock { $0 = nil }
        settle(answer)
    }

    /// Whether the session may do with the task what it likes: it will not be cancelled from now on. `false` if it is
    /// cancelled already.
    func leaveToSession() -> Bool { task.withLock { $0.take() } != nil }

    private func settle(_ answer: sending Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            defer { state = .over }
            if case .running(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: answer)
    }

    private func cancel() {
        settle(.failure(CancellationError()))
        stopLoading()
    }

    /// Closes the connection, on a thread that holds no lock.
    private func stopLoading() {
        guard let loading = task.withLock({ $0.take() }) else { return }
        DispatchQueue.global().async { loading.cancel() }
    }
}
