import EventLoop
import HTTPCore

/// The reply to the request of that number on a connection; no allocation, since it is made for each request.
struct ConnectionReply: Reply, LiveConnection {
    let connection: Connection
    let number: UInt64

    var loop: any LoopExecutor { connection.server }

    func send(_ response: Response) {
        let (connection, number) = (connection, number)
        if connection.loop.isCurrent {
            connection.answer(number, response)
        } else {
            connection.loop.execute { connection.answer(number, response) }
        }
    }

    func hold(_ held: any HeldRequest) {
        let (connection, number) = (connection, number)
        if connection.loop.isCurrent {
            connection.hold(number, held)
        } else {
            connection.loop.execute { connection.hold(number, held) }
        }
    }

    func wake() {
        precondition(connection.loop.isCurrent, "a stream is woken on its loop")
        connection.wake(number)
    }
}
