import Foundation

/// A client of Server-Sent Events over a raw connection.
final class EventClient {
    struct Event: Equatable {
        var name = ""
        var id: String?
        var data = ""

        /// The data as an object.
        var object: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any]) ?? [:]
        }
        var from: String? { object["from"] as? String }
        var to: String? { object["to"] as? String }
        var collection: String? { object["collection"] as? String }
        var ops: [String] { (object["changes"] as? [[String: Any]] ?? []).compactMap { $0["op"] as? String } }
    }

    let client: TestClient
    let head: TestClient.Reply
    /// What has come and was not given out, from `start` on.
    private var text: [UInt8] = []
    private var start = 0
    private let inflater: StreamInflater?
    /// The chunks that have come.
    private(set) var chunkCount = 0

    /// Asks for a stream.
    init(port: UInt16, _ target: String, _ headers: [(String, String)] = [], receiveBuffer: Int32? = nil) throws {
        client = try TestClient(port: port, receiveBuffer: receiveBuffer)
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(fields)\r\n")
        head = try client.receiveHead()
        inflater = head["Content-Encoding"] == "gzip" ? try StreamInflater() : nil
    }

    /// The next block, up to an empty line, comments and `retry` among them; `nil` at the end.
    func nextBlock() throws -> String? {
        var looked = start
        while true {
            while looked + 1 < text.count {
                if text[looked] == UInt8(ascii: "\n"), text[looked + 1] == UInt8(ascii: "\n") {
                    defer { start = looked + 2 }
                    return String(decoding: text[start..<looked], as: UTF8.self)
                }
                looked += 1
            }
            guard let chunk = try client.receiveChunkBytes() else { return nil }
            chunkCount += 1
            text.removeFirst(start)
            looked -= start
            start = 0
            text += try inflater?.inflated(chunk) ?? chunk
        }
    }

    /// The next event, `nil` at the end.
    func next() throws -> Event? {
        while let block = try nextBlock() {
            var event = Event()
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, !parts[0].isEmpty else { continue }
                let value = String(parts[1].drop { $0 == " " })
                switch parts[0] {
                case "event": event.name = value
                case "id": event.id = value
                case "data": event.data = value
                default: break
                }
            }
            if !event.name.isEmpty { return event }
        }
        return nil
    }
}
