import HTTPCore
import Synchronization

/// A reply to a request for which bytes were reserved: they are given back when the response is written, or at once if it
/// is short.
final class ReservedReply: Reply {
    private let reply: any Reply
    private let reservation: Mutex<Reservation?>

    init(_ reply: any Reply, _ reservation: Reservation) {
        self.reply = reply
        self.reservation = Mutex(reservation)
    }

    func send(_ response: Response) {
        var response = response
        let reservation = reservation.withLock { $0.take() }
        if let reservation, case .bytes(let bytes) = response.body {
            response.body = HeldBytes.body(bytes, holding: reservation)
        }
        reply.send(response)
    }

    func hold(_ held: any HeldRequest) { reply.hold(held) }

    var loop: any LoopExecutor { reply.loop }
}
