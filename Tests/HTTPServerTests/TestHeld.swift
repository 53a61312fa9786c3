import HTTPCore
import Synchronization

/// A held request that remembers what its connection told.
final class TestHeld: HeldRequest {
    private let reply: any Reply
    private let answersAtEnd: Bool
    private let told = Mutex<[String]>([])
    private let time = Mutex<UInt64?>(nil)

    init(_ reply: any Reply, answersAtEnd: Bool = false) {
        self.reply = reply
        self.answersAtEnd = answersAtEnd
    }

    /// What was told, but for ticks.
    var events: [String] { told.withLock { $0 } }
    /// When the last tick was.
    var lastTick: UInt64? { time.withLock { $0 } }

    func peerEnded() {
        told.withLock { $0.append("ended") }
        if answersAtEnd { reply.send(TestHandler.text("nothing yet")) }
    }

    func drain() { told.withLock { $0.append("drain") } }

    func tick(now: UInt64) { time.withLock { $0 = now } }
}
