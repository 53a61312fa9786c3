import Glibc

/// Sockets on loopback.
enum Socket {
    /// How many addresses the clients come from: one has no ports for all of them.
    private static let sources: UInt32 = 8

    /// A connection from one of several addresses, chosen by number.
    static func connect(port: UInt16, number: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError.call("socket") }
        var late: Int32 = 1
        let bindsAddressOnly: Int32 = 24  // IP_BIND_ADDRESS_NO_PORT
        setsockopt(descriptor, Int32(IPPROTO_IP), bindsAddressOnly, &late, socklen_t(MemoryLayout<Int32>.size))
        let isConnected =
            call(bind, descriptor, 0x7F00_0002 + UInt32(number) % sources, 0)
            && call(Glibc.connect, descriptor, 0x7F00_0001, port)
        guard isConnected else {
            let error = BenchmarkError.call("connect")
            close(descriptor)
            throw error
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// A port that nobody has at the moment.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        guard call(bind, descriptor, 0x7F00_0001, 0) else { throw BenchmarkError.call("bind") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isKnown else { throw BenchmarkError.call("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends all of it; it is short, so there is room.
    static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BenchmarkError.call("send")
        }
    }

    /// Closes by a reset, so that nothing of the connection is left on either side.
    static func reset(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ host: UInt32,
        _ port: UInt16
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
