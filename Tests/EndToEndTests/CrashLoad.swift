import Dispatch
import Foundation

/// Writers and pollers at work on a server, each on a thread and a connection of its own.
struct CrashLoad {
    private let history: CrashHistory
    private let running = DispatchSemaphore(value: 0)
    private let ended: [DispatchSemaphore]
    private let writerCount: Int

    init(
        port: UInt16, writers: [CrashWriter], pollers: [CrashPoller], _ history: CrashHistory
    ) {
        self.history = history
        history.isKilled = false
        writerCount = writers.count
        let running = self.running
        ended =
            writers.map { writer in
                Self.thread(port, history) { connection in
                    var isFirst = true
                    try writer.run(over: connection) {
                        if isFirst { running.signal() }
                        isFirst = false
                    }
                }
            }
            + pollers.map { poller in Self.thread(port, history) { try poller.run(over: $0) } }
    }

    /// Waits until each writer has had an answer.
    func waitUntilRunning() throws {
        for _ in 0..<writerCount { try Self.wait(for: running, "a writer had no answer") }
    }

    /// Lets the load go on for a while.
    func goOn(milliseconds: Int) {
        // Nobody signals this: it is the moment of the kill that is drawn.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Kills the server under the load and waits until all clients have noticed.
    func kill(_ server: CrashServer) throws {
        history.isKilled = true
        try server.end(by: SIGKILL)
        for client in ended { try Self.wait(for: client, "a client did not notice that the server was killed") }
    }

    private static func wait(for semaphore: DispatchSemaphore, _ message: String) throws {
        guard semaphore.wait(timeout: .now() + CrashServer.patience) == .success else {
            throw CrashServer.Failure(description: "\(message) in \(CrashServer.patience) s")
        }
    }

    /// Runs on a thread of its own until the connection breaks off, which only a kill may bring about.
    private static func thread(
        _ port: UInt16, _ history: CrashHistory, _ body: @escaping @Sendable (ServerConnection) throws -> Void
    ) -> DispatchSemaphore {
        let ended = DispatchSemaphore(value: 0)
        Thread {
            do {
                try body(ServerConnection(TestClient(port: port), port: port))
            } catch {
                if !history.isKilled { history.fail("a connection broke off: \(error)") }
            }
            ended.signal()
        }.start()
        return ended
    }
}
