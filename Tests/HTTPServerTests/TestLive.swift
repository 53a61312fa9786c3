import HTTPCore
import Synchronization

/// A live stream that sends what it is told to, and remembers what its connection told.
final class TestLive: LiveStream {
    private struct State {
        var connection: (any LiveConnection)?
        var pending: [LivePiece] = []
        var isEnding = false
        var taken = 0
        var events: [String] = []
        var signOfLife: LivePiece?
    }

    private let state = Mutex(State())

    init(greeting: [UInt8]?) {
        if let greeting { push([LivePiece(greeting)], replacing: false) }
    }

    /// What was told, but for ticks.
    var events: [String] { state.withLock { $0.events } }
    /// How many pieces were taken.
    var taken: Int { state.withLock { $0.taken } }
    /// The loop; `nil` before the stream has begun.
    var loop: (any LoopExecutor)? { state.withLock { $0.connection?.loop } }

    /// Gives pieces to send, in place of those that were not taken yet or after them; any thread, without waking.
    func push(_ pieces: [LivePiece], replacing: Bool) {
        state.withLock { $0.pending = (replacing ? [] : $0.pending) + pieces }
    }

    /// Has the stream end after what is pending; without waking.
    func end() { state.withLock { $0.isEnding = true } }

    /// Sends this with each tick.
    func live(by signOfLife: LivePiece) { state.withLock { $0.signOfLife = signOfLife } }

    /// Lets go of the connection.
    func forget() { state.withLock { $0.connection = nil } }

    /// Wakes the connection; on its loop.
    func wake() { state.withLock { $0.connection }?.wake() }

    func began(_ connection: any LiveConnection) {
        state.withLock {
            $0.connection = connection
            $0.events.append("began")
        }
    }

    func next() -> LiveStep {
        state.withLock { state in
            guard state.pending.isEmpty else {
                state.taken += 1
                return .piece(state.pending.removeFirst())
            }
            return state.isEnding ? .end : .wait
        }
    }

    func tick(now: UInt64) {
        guard let piece = state.withLock({ $0.signOfLife }) else { return }
        push([piece], replacing: false)
        wake()
    }

    func drain() {
        state.withLock { $0.events.append("drain") }
        push([LivePiece(Array("bye".utf8))], replacing: true)
        end()
    }

    func ended() { state.withLock { $0.events.append("ended") } }
}
