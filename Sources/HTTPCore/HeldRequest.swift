/// A request that waits for something to happen before it is answered, as its connection sees it: see `Reply.hold`.
///
/// All calls come on the connection's loop. None of them comes after the response was sent.
package protocol HeldRequest: AnyObject, Sendable {
    /// The client has ended its side or is gone; called once. A response that is sent before this returns, and before the
    /// handler returns if it holds just now, is still written, for a client that has only ended its side and can read.
    /// Without one the connection is closed: a client that closes looks no different, and its place is to be free.
    func peerEnded()

    /// The server stops and it is this request's turn to be answered; called once. A request that is held while the server
    /// stops already has its turn at once. What is not answered when the server's grace is over is cut off.
    func drain()

    /// Some time has gone by: called each `ServerConfiguration.tick`, with the time of `LoopExecutor.now`. It is the place
    /// for an answer when the time to wait is over, without a timer for each request.
    func tick(now: UInt64)
}

extension HeldRequest {
    /// Does nothing: for a request that waits as long as it takes.
    package func tick(now: UInt64) {}
}
