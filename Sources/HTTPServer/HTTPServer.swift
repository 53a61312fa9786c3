package import EventLoop
package import HTTPCore
import Synchronization

/// An HTTP/1.1 server: loops that share ports, with connections that stay on the loop that accepted them.
///
/// All members may be used from any thread, but `shutdown` and `checkDeadlines` wait for the loops and so may not be called
/// on one. A server that goes is shut down without grace.
package final class HTTPServer: Sendable {
    /// Where it listens, with the real ports.
    package let addresses: [SocketAddress]
    private let loops: [ServerLoop]
    private let isShutDown = Mutex(false)

    /// Starts a server. The clock gives monotonic nanoseconds, for deadlines and durations; tests inject one.
    package init(
        configuration: ServerConfiguration, handler: any RequestHandler, observer: (any ServerObserver)? = nil,
        clock: @escaping @Sendable () -> UInt64 = EventLoop.now
    ) throws(EventLoopError) {
        var sockets: [[ListeningSocket]] = []
        for address in configuration.addresses {
            sockets.append(try ListeningSocket.sharing(address, count: configuration.loops))
        }
        addresses = sockets.map { $0[0].address }
        let open = OpenConnections()
        let arriving = ArrivingBodies(limit: configuration.arrivingBytes)
        var started: [ServerLoop] = []
        do throws(EventLoopError) {
            for index in 0..<configuration.loops {
                let loop = ServerLoop(
                    loop: try EventLoop(name: "medley-loop-\(index)"), configuration: configuration, handler: handler,
                    observer: observer, clock: clock, open: open, arriving: arriving, drained: try Signal())
                try loop.loop.start()
                started.append(loop)
            }
        } catch {
            for loop in started { Self.end(loop) }
            throw error
        }
        loops = started
        for (index, loop) in started.enumerated() {
            let own = sockets.map { $0[index] }
            loop.loop.execute { loop.listen(own) }
        }
    }

    deinit {
        shutdown(grace: 0)
    }

    /// What was counted so far.
    package var metrics: ServerMetrics {
        var metrics = ServerMetrics()
        for loop in loops { loop.counters.add(to: &metrics) }
        return metrics
    }

    /// Has every loop look at its deadlines now, and returns when they have.
    package func checkDeadlines() throws(EventLoopError) {
        for loop in loops {
            let done = try Signal()
            if loop.loop.execute({
                loop.checkDeadlines()
                done.raise()
            }) {
                _ = done.wait()
            }
        }
    }

    /// Stops accepting, closes idle connections, lets requests under way finish for so many nanoseconds, then closes the
    /// rest; returns when the loops have ended. A second call does nothing. Says whether all finished in time.
    ///
    /// Held requests and live streams are told to end one after the other, evenly over the first half of the grace, so that
    /// their clients do not all come back at once; without grace, all at once.
    @discardableResult
    package func shutdown(grace nanoseconds: UInt64) -> Bool {
        let isFirst = isShutDown.withLock { done in
            defer { done = true }
            return !done
        }
        guard isFirst else { return true }
        for loop in loops { loop.loop.execute { loop.drain(grace: nanoseconds) } }
        let deadline = EventLoop.now().addingReportingOverflow(nanoseconds)
        var inTime = true
        for loop in loops {
            let now = EventLoop.now()
            let left = deadline.overflow ? nil : deadline.partialValue > now ? deadline.partialValue - now : 0
            if !loop.drained.wait(nanoseconds: left) { inTime = false }
        }
        for loop in loops { Self.end(loop) }
        return inTime
    }

    private static func end(_ loop: ServerLoop) {
        loop.loop.execute { loop.tearDown() }
        loop.loop.stop()
        loop.loop.join()
    }
}
