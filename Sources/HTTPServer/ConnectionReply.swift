import EventLoop
import HTTPCore

/// The reply to the request of that number on a connection; no allocation, since it is made for each request.
struct ConnectionReply: Reply {
    let connection: Connection
    let number: UInt64

    func send(_ response: Response) {
        let (connection, number) = (connection, number)
        if connection.loop.isCurrent {
            connection.answer(number, response)
        } else {
            connection.loop.execute { connection.answer(number, response) }
        }
    }

    func whenPeerEnds(_ action: @escaping @Sendable () -> Void) {
        let (connection, number) = (connection, number)
        if connection.loop.isCurrent {
            connection.whenPeerEnds(number, action)
        } else {
            connection.loop.execute { connection.whenPeerEnds(number, action) }
        }
    }
}
