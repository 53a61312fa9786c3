import Foundation
import Glibc
import Synchronization

/// Answers every request on a free port of loopback by the same bytes, and keeps what came.
final class CannedServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let heads = Mutex<[String]>([])

    /// The heads of the requests so far.
    var requests: [String] { heads.withLock { $0 } }

    /// - Parameter answer: the status line and the header fields; no body goes with it.
    init(_ answer: [String]) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                let isBound = unsafe bind(descriptor, rebound, size) == 0 && listen(descriptor, 8) == 0
                return unsafe isBound && getsockname(descriptor, rebound, &size) == 0
            }
        }
        guard isBound else { throw TestClient.Failure(message: "no port to listen on") }
        port = UInt16(bigEndian: address.sin_port)
        let bytes = Array((answer + ["Content-Length: 0", "Connection: close", "", ""]).joined(separator: "\r\n").utf8)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                let head = Self.head(connection)
                self?.heads.withLock { $0.append(head) }
                _ = unsafe bytes.withUnsafeBytes { unsafe write(connection, $0.baseAddress, $0.count) }
                close(connection)
            }
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func head(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains("\r\n\r\n") {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }
}
