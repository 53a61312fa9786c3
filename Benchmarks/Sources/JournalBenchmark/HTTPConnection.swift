import Glibc

/// A kept-alive connection to the server on loopback.
final class HTTPConnection {
    let descriptor: Int32
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    struct Answer {
        let status: Int
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchmarkError.call("socket") }
        var address = Self.loopback(port)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw BenchmarkError.call("connect") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Sends a request and waits for its answer.
    func ask(_ request: [UInt8]) throws -> Answer {
        try send(request)
        while true {
            if let answer = try receive() { return answer }
        }
    }

    /// Sends a request and waits for its answer, which must be a success.
    @discardableResult
    func edit(_ request: [UInt8]) throws -> Answer {
        let answer = try ask(request)
        guard 200..<300 ~= answer.status else {
            throw BenchmarkError("the server answered \(answer.status): \(answer.text)")
        }
        return answer
    }

    func send(_ request: [UInt8]) throws {
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 {
                if errno == EINTR { continue }
                throw BenchmarkError.call("send")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads what has come, waiting if nothing has; the answer once it is whole.
    func receive() throws -> Answer? {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 {
            if errno == EINTR { return nil }
            throw BenchmarkError.call("recv")
        }
        guard count > 0 else { throw BenchmarkError("the server closed a connection") }
        received.append(contentsOf: buffer[..<count])
        guard let head = AnswerHead(received), received.count >= head.byteCount + head.bodyByteCount else { return nil }
        let answer = Answer(status: head.status, body: Array(received[head.byteCount...]))
        received.removeAll(keepingCapacity: true)
        return answer
    }
}
