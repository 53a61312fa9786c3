import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A URL session whose requests go to the address that they name and to no other.
///
/// FoundationNetworking goes where a redirection leads with all header fields of the first request, whatever the host, so
/// that a token would be shown to it. Only the delegate of a session is asked before, and only about tasks without a
/// completion handler; hence the answers are collected here.
final class LoadingSession: Sendable {
    private let session: URLSession
    private let delegate = Delegate()

    /// Creates a session with so many connections to a host at most; nothing is cached, no cookie kept.
    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Makes the task that loads what a request asks for, not yet begun, whose outcome `load` is told.
    func task(_ request: URLRequest, for load: LoadingTask) -> URLSessionDataTask {
        let task = session.dataTask(with: request)
        delegate.loads.withLock { $0[task.taskIdentifier] = Delegate.Load(task: load) }
        return task
    }

    /// Ends all tasks. It waits for the queue on which they are told of what comes.
    func end() { session.invalidateAndCancel() }

    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        struct Load {
            let task: LoadingTask
            var data = Data()
            /// Whether the server asked for a password, which ends the task with an error of one kind or another.
            var isRejected = false
        }

        /// What is under way, by the identifiers of the session's tasks.
        let loads = Mutex<[Int: Load]>([:])

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            loads.withLock { $0[dataTask.taskIdentifier]?.data.append(data) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            // FoundationNetworking ends the process if a task that is being cancelled is told where to go.
            let load = loads.withLock { $0[task.taskIdentifier]?.task }
            if load?.leaveToSession() == true { completionHandler(nil) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // There is no password to give, and FoundationNetworking waits for ever for one that is left to it.
            let passwords = [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest]
            let isPassword = passwords.contains(challenge.protectionSpace.authenticationMethod)
            if isPassword { loads.withLock { $0[task.taskIdentifier]?.isRejected = true } }
            completionHandler(isPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let load = loads.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            if let response = task.response, error == nil || load.isRejected {
                load.task.end(.success((load.data, response)))
            } else {
                load.task.end(.failure(error ?? URLError(.unknown)))
            }
        }
    }
}
