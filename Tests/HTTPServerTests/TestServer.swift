import EventLoop
import Glibc
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let time = Atomic<UInt64>(1_000_000_000)
    var now: UInt64 { time.load(ordering: .relaxed) }
    func advance(seconds: UInt64) { time.add(seconds * 1_000_000_000, ordering: .relaxed) }
}

/// Remembers what was observed.
final class TestObserver: ServerObserver, LoopObserver {
    private let records = Mutex<[RequestRecord]>([])
    var all: [RequestRecord] { records.withLock { $0 } }
    func makeLoopObserver() -> any LoopObserver { self }
    func requestFinished(_ record: RequestRecord) { records.withLock { $0.append(record) } }
}

/// What connections are made of.
enum Wire: String, CaseIterable, CustomTestStringConvertible {
    case plain, tls

    var testDescription: String { rawValue }
}

/// A server on a free port of 127.0.0.1 with a handler, an observer and a clock of its own.
struct TestServer {
    let server: HTTPServer
    let handler: TestHandler
    let observer = TestObserver()
    let clock = ManualClock()
    let wire: Wire

    init(loops: Int = 1, over wire: Wire = .plain, configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
        handler = try TestHandler()
        var configuration = ServerConfiguration(
            addresses: [try SocketAddress(host: "127.0.0.1", port: 0)], loops: loops)
        self.wire = wire
        if wire == .tls {
            let made = try #require(TestCertificate.shared)
            configuration.identity = try TLSIdentity(certificate: made.certificate, key: made.key)
        }
        configure(&configuration)
        let clock = clock
        server = try HTTPServer(
            configuration: configuration, handler: handler, observer: observer, clock: { clock.now })
    }

    func connect(from source: String? = nil, receiveBuffer: Int32? = nil) throws -> TestClient {
        let port = server.addresses[0].port
        guard wire == .tls, let made = TestCertificate.shared else {
            return try TestClient(port: port, from: source, receiveBuffer: receiveBuffer)
        }
        return try TestClient(port: port, from: source, receiveBuffer: receiveBuffer) {
            try TLSTransport($0, authority: made.certificate)
        }
    }

    /// Returns when the loop, of which there is one, has seen all that was sent to it before.
    func settle() throws {
        // What came before the first exchange is seen at the latest in the same turn of the loop, and that ends before the
        // second.
        let client = try connect()
        for _ in 0..<2 {
            try client.send("GET /settle HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive()
        }
    }

    /// Runs a test and ends the server and the handler's thread.
    static func run(
        loops: Int = 1, over wire: Wire = .plain, configure: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (TestServer) throws -> Void
    ) throws {
        let server = try TestServer(loops: loops, over: wire, configure: configure)
        defer {
            server.server.shutdown(grace: 0)
            server.handler.otherThread.stop()
            server.handler.otherThread.join()
            server.handler.forget()
        }
        try test(server)
    }
}
