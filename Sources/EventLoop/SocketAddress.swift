internal import CLibevent
import Glibc

/// A numeric IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in the network's order: 4 bytes (IPv4) or 16 (IPv6).
    let bytes: [UInt8]
    /// The port; 0 lets the system choose when it is listened on.
    package let port: UInt16

    /// Whether only this machine can reach the address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 : bytes.first == 127
    }

    /// Whether the address is IPv6.
    package var isIPv6: Bool { bytes.count == 16 }

    /// Creates an address from a numeric host without brackets, or `localhost` for 127.0.0.1.
    package init(host: String, port: UInt16) throws(EventLoopError) {
        let numeric = host == "localhost" ? "127.0.0.1" : host
        let family = numeric.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: family == AF_INET6 ? 16 : 4)
        guard unsafe inet_pton(family, numeric, &bytes) == 1 else {
            throw EventLoopError(.invalidAddress, "\"\(host)\" is no numeric address")
        }
        self.bytes = bytes
        self.port = port
    }

    /// Parses `HOST:PORT` with an IPv6 host in brackets: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
    package init(parsing text: String) throws(EventLoopError) {
        let error = EventLoopError(.invalidAddress, "\"\(text)\" is not of the form 127.0.0.1:8080 or [::1]:8080")
        guard let colon = text.lastIndex(of: ":") else { throw error }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(digits) else {
            throw error
        }
        var host = text[..<colon]
        if host.first == "[" {
            guard host.last == "]" else { throw error }
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            throw error
        }
        try self.init(host: String(host), port: port)
    }

    /// The address of one end of a socket, as the system tells it.
    init?(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            (bytes, port) = unsafe withUnsafeBytes(of: &storage) { raw in
                let address = unsafe raw.loadUnaligned(as: sockaddr_in.self)
                return unsafe withUnsafeBytes(of: address.sin_addr) {
                    unsafe ([UInt8]($0), UInt16(bigEndian: address.sin_port))
                }
            }
        case AF_INET6:
            (bytes, port) = unsafe withUnsafeBytes(of: &storage) { raw in
                let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
                return unsafe withUnsafeBytes(of: address.sin6_addr) {
                    unsafe ([UInt8]($0), UInt16(bigEndian: address.sin6_port))
                }
            }
        default:
            return nil
        }
    }

    /// The same host with another port.
    package func with(port: UInt16) -> SocketAddress { SocketAddress(bytes: bytes, port: port) }

    private init(bytes: [UInt8], port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// The host as text, without brackets.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv6 ? AF_INET6 : AF_INET
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `HOST:PORT`, an IPv6 host in brackets.
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Calls with the system's form of the address.
    func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var storage = sockaddr_storage()
        let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        unsafe withUnsafeMutableBytes(of: &storage) { raw in
            if isIPv6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
                unsafe raw.storeBytes(of: address, as: sockaddr_in6.self)
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: bytes) }
                unsafe raw.storeBytes(of: address, as: sockaddr_in.self)
            }
        }
        return unsafe withUnsafePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, socklen_t(size)) }
        }
    }
}
