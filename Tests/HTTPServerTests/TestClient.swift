import Glibc

/// What a client sends and receives through, instead of the bare socket; as `send` and `recv`.
protocol TestTransport: AnyObject {
    func send(_ bytes: [UInt8], from start: Int) -> Int
    func receive(into buffer: inout [UInt8]) -> Int
    func endSending()
}

/// A blocking client that sends and receives raw bytes.
// SAFETY: a test uses a client from one thread at a time, or sends on one and receives on another.
final class TestClient: @unchecked Sendable {
    struct Failure: Error {
        let message: String
    }

    /// A response, its body without its framing.
    struct Reply {
        let status: Int
        let fields: [(name: String, value: String)]
        let body: [UInt8]

        subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private var transport: (any TestTransport)?
    private var received: [UInt8] = []
    private var start = 0

    /// Connects to a port of 127.0.0.1. Nothing is waited for longer than two minutes, so that a fault is no hang.
    init(
        port: UInt16, from source: String? = nil, receiveBuffer: Int32? = nil,
        through transport: ((Int32) throws -> any TestTransport)? = nil
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        if let source {
            address.sin_addr.s_addr = unsafe inet_addr(source)
            _ = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(message: "cannot connect: \(errno)") }
        self.transport = try transport?(descriptor)
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count =
                if let transport { transport.send(bytes, from: sent) } else {
                    unsafe bytes.withUnsafeBytes {
                        unsafe Glibc.send(
                            descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                    }
                }
            guard count > 0 else { throw Failure(message: "cannot send: \(errno)") }
            sent += count
        }
    }

    /// Sends a text again and again until the system takes no more; returns how much it took.
    func fill(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        var sent = 0
        while true {
            let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard count > 0 else { return sent }
            sent += count
        }
    }

    /// Tells the server that nothing more is sent.
    func endSending() {
        transport?.endSending()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes so that the server is told by a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        dup2(other, descriptor)
        close(other)
    }

    /// Whether something has come that was not received, or the server has ended.
    var hasInput: Bool {
        if start < received.count { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Receives the next response; `toHead` if it answers HEAD and has no body.
    func receive(toHead: Bool = false) throws -> Reply {
        let head = String(decoding: try take(until: "\r\n\r\n"), as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(message: "no status line: \(head)")
        }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        var body: [UInt8] = []
        if toHead || status == 204 || status == 304 || status == 100 {
        } else if let length = value("content-length").flatMap({ Int($0) }) {
            body = try take(length)
        } else if value("transfer-encoding") == "chunked" {
            while let size = Int(String(decoding: try take(until: "\r\n").dropLast(2), as: UTF8.self), radix: 16) {
                body += try take(size)
                guard try take(2) == [13, 10] else { throw Failure(message: "a chunk does not end") }
                if size == 0 { break }
            }
        } else {
            body = receiveToEnd().bytes
        }
        return Reply(status: status, fields: fields, body: body)
    }

    /// Receives the next head without its body.
    func receiveHead() throws -> Reply { try receive(toHead: true) }

    /// Receives the next chunk as text, `nil` for the last.
    func receiveChunk() throws -> String? { try receiveChunkBytes().map { String(decoding: $0, as: UTF8.self) } }

    /// Receives the next chunk, `nil` for the last.
    func receiveChunkBytes() throws -> [UInt8]? {
        let line = String(decoding: try take(until: "\r\n").dropLast(2), as: UTF8.self)
        guard let size = Int(line, radix: 16) else { throw Failure(message: "no chunk: \(line)") }
        let chunk = try take(size)
        guard try take(2) == [13, 10] else { throw Failure(message: "a chunk does not end") }
        return size == 0 ? nil : chunk
    }

    /// Receives so many bytes as text.
    func receiveText(_ count: Int) throws -> String { String(decoding: try take(count), as: UTF8.self) }

    /// Receives until the server ends; says whether it did so in order, not by a reset.
    func receiveToEnd() -> (bytes: [UInt8], isOrderly: Bool) {
        while true {
            let count = more()
            guard count > 0 else {
                defer { start = received.count }
                return (Array(received[start...]), count == 0)
            }
        }
    }

    /// Receives so many bytes and forgets them.
    func skip(_ count: Int) throws {
        var left = count
        while left > 0 {
            if start == received.count, more() <= 0 { throw Failure(message: "\(left) bytes are missing") }
            let step = min(left, received.count - start)
            start += step
            left -= step
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while received.count - start < count {
            guard more() > 0 else { throw Failure(message: "the server ended too early") }
        }
        defer { start += count }
        return Array(received[start..<start + count])
    }

    private func take(until mark: String) throws -> [UInt8] {
        let mark = Array(mark.utf8)
        if start == received.count, more() <= 0 { throw Failure(message: "the server ended before a head") }
        var from = start
        while true {
            while from + mark.count <= received.count {
                if received[from] == mark[0], Array(received[from..<from + mark.count]) == mark {
                    return try take(from + mark.count - start)
                }
                from += 1
            }
            guard more() > 0 else {
                throw Failure(message: "no head: \(String(decoding: received[start...], as: UTF8.self))")
            }
        }
    }

    private func more() -> Int {
        if start == received.count {
            received.removeAll(keepingCapacity: true)
            start = 0
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count =
            if let transport { transport.receive(into: &buffer) } else {
                unsafe recv(descriptor, &buffer, buffer.count, 0)
            }
        if count > 0 { received += buffer[..<count] }
        return count
    }
}
