import EventLoop
import HTTPCore
import HTTPServer
import Synchronization

/// A web server with short tones, `/NAME.wav`, that remembers who asked for what.
final class MediaHost: Sendable {
    private let server: HTTPServer
    private let handler = Handler()
    let port: UInt16

    init() throws {
        server = try HTTPServer(
            configuration: ServerConfiguration(addresses: [try SocketAddress(host: "127.0.0.1", port: 0)], loops: 1),
            handler: handler)
        port = server.addresses[0].port
    }

    deinit { server.shutdown(grace: 0) }

    /// The address of a tone.
    func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name).wav" }

    /// The paths that were asked for by clients whose `User-Agent` has this in it, each the first time only.
    func paths(askedBy agent: String) -> [String] {
        var seen = Set<String>()
        return handler.asked.withLock { $0 }.filter { $0.agent.contains(agent) && seen.insert($0.path).inserted }
            .map(\.path)
    }

    private final class Handler: RequestHandler {
        let asked = Mutex<[(path: String, agent: String)]>([])

        func admit(_ head: RequestHead) -> Admission { .accept(bodyLimit: 0) }

        func handle(_ request: Request, _ reply: any Reply) {
            let head = request.head
            asked.withLock { $0.append((head.path, head.headers["User-Agent"] ?? "")) }
            var headers = HeaderFields()
            headers.add("Content-Type", "audio/x-wav")
            reply.send(Response(status: 200, headers: headers, body: .bytes(MediaHost.tone)))
        }

        func response(to refusal: Refusal) -> Response { Response(status: refusal.status) }
    }

    /// A quarter of a second of sound: RIFF WAVE, PCM, one channel of 16 bits, 8,000 samples a second.
    static let tone: [UInt8] = {
        let samples = (0..<2_000).map { Int16(($0 % 20 - 10) * 300) }
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let data = samples.flatMap { little($0) }
        let format = little(UInt16(1)) + little(UInt16(1)) + little(UInt32(8_000)) + little(UInt32(16_000))
        let chunk = Array("fmt ".utf8) + little(UInt32(16)) + format + little(UInt16(2)) + little(UInt16(16))
        let rest = Array("WAVE".utf8) + chunk + Array("data".utf8) + little(UInt32(data.count)) + data
        return Array("RIFF".utf8) + little(UInt32(rest.count)) + rest
    }()
}
