/// A body whose pieces come when something happens: sent in chunks, or to the end of the connection for HTTP/1.0.
///
/// It is one object for each response. All calls come on the connection's loop, so what only they touch needs no lock. They
/// may come from within `LiveConnection.wake` and `Reply.send`: no lock may be held then, and no collection iterated over
/// that `ended` removes from.
package protocol LiveStream: AnyObject, Sendable {
    /// The response is under way: called once, before any other. It is not called in answer to HEAD, nor if the client has
    /// gone before; then nothing else is called either.
    func began(_ connection: any LiveConnection)

    /// The next piece, or that there is none yet or none any more.
    ///
    /// Asked at the beginning, on each `wake`, and whenever the socket has taken the piece before: so the client that reads
    /// slowly is sent what is new when it can take it, not what has piled up. Must not wait.
    func next() -> LiveStep

    /// Some time has gone by: called each `ServerConfiguration.tick`, with the time of `LoopExecutor.now`. It is the place
    /// for a sign of life (`wake` has it sent), without a timer for each stream.
    func tick(now: UInt64)

    /// The server stops and it is this stream's turn; called once. `next` is asked right after, for a last piece and then
    /// the end. What has not ended when the server's grace is over is cut off.
    func drain()

    /// The stream is over and nothing is called any more: after its own end, or because the client ended its side, is gone
    /// or took nothing for too long. Called once for each `began`.
    func ended()
}

extension LiveStream {
    /// Does nothing: for a stream without signs of life.
    package func tick(now: UInt64) {}
}

/// What a live stream has to send.
package enum LiveStep: Sendable {
    /// A piece; the stream is asked again when the socket has taken it.
    case piece(LivePiece)
    /// Nothing yet: the stream is asked again when it is woken.
    case wait
    /// Nothing any more: the response ends.
    case end
}

/// The connection of a live stream, which lets go of it in `ended`: it holds the server, and so the handler.
package protocol LiveConnection: Sendable {
    /// The connection's loop.
    var loop: any LoopExecutor { get }

    /// Has the stream asked for its next piece, unless it is over or the socket has yet to take an earlier piece (then it is
    /// asked after that). The piece is written before this returns. On the loop's thread only.
    func wake()
}
