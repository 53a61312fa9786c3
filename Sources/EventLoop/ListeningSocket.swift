internal import CLibevent
import Glibc

/// A bound, listening, non-blocking TCP socket; made on any thread and then given to a `Listener`.
package final class ListeningSocket: Sendable {
    /// The descriptor.
    let descriptor: Int32
    /// The address it listens on, with the real port.
    package let address: SocketAddress

    private init(descriptor: Int32, address: SocketAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    deinit {
        close(descriptor)
    }

    /// Makes `count` sockets that listen on one address, among which the system spreads connections.
    ///
    /// An address that another process listens on is an error, although the option that lets sockets share a port would
    /// let this one in and split the connections between the two.
    package static func sharing(
        _ address: SocketAddress, count: Int, backlog: Int32 = 1024
    ) throws(EventLoopError) -> [ListeningSocket] {
        if address.port != 0 {
            _ = try bound(address, sharesPort: false)
        }
        let first = try listening(address, backlog)
        var sockets = [first]
        while sockets.count < count { sockets.append(try listening(first.address, backlog)) }
        return sockets
    }

    private static func listening(
        _ address: SocketAddress, _ backlog: Int32
    ) throws(EventLoopError) -> ListeningSocket {
        let socket = try bound(address, sharesPort: true)
        guard listen(socket.descriptor, backlog) == 0 else { throw error(address, errno) }
        return socket
    }

    private static func bound(
        _ address: SocketAddress, sharesPort: Bool
    ) throws(EventLoopError) -> ListeningSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard number >= 0 else { throw error(address, errno) }
        do throws(EventLoopError) {
            return ListeningSocket(descriptor: number, address: try name(number, address, sharesPort: sharesPort))
        } catch {
            close(number)
            throw error
        }
    }

    /// Sets the options, binds, and returns the address with the real port.
    private static func name(
        _ number: Int32, _ address: SocketAddress, sharesPort: Bool
    ) throws(EventLoopError) -> SocketAddress {
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, size)
        if sharesPort, unsafe setsockopt(number, SOL_SOCKET, SO_REUSEPORT, &one, size) != 0 {
            throw error(address, errno)
        }
        let failure = unsafe address.withSystemAddress { unsafe bind(number, $0, $1) == 0 ? 0 : errno }
        guard failure == 0 else { throw error(address, failure) }
        guard let real = localAddress(number) else { throw error(address, errno) }
        return real
    }

    private static func localAddress(_ descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        return code == 0 ? SocketAddress(storage) : nil
    }

    private static func error(_ address: SocketAddress, _ number: Int32) -> EventLoopError {
        EventLoopError(
            number == EADDRINUSE ? .addressInUse : .listenFailed, "cannot listen on \(address)", cause: number)
    }
}
