import HTTPCore
import Synchronization

/// A reply to a request for which bytes were reserved: they are given back with the response.
final class ReservedReply: Reply {
    private let reply: any Reply
    private let budget: ByteBudget
    private let byteCount: Mutex<Int>

    init(_ reply: any Reply, byteCount: Int, of budget: ByteBudget) {
        self.reply = reply
        self.budget = budget
        self.byteCount = Mutex(byteCount)
    }

    func send(_ response: Response) {
        let reserved = byteCount.withLock { count in
            defer { count = 0 }
            return count
        }
        budget.release(reserved)
        reply.send(response)
    }

    func hold(_ held: any HeldRequest) { reply.hold(held) }

    var loop: any LoopExecutor { reply.loop }
}
