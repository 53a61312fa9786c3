import EventLoop
import Foundation
import MedleyCore
import Synchronization
import Testing

/// The stop of a server that many follow while it is edited.
@Suite struct LiveStopTests {
    private static let streams = 1_000
    private static let editors = 4

    @Test func aStopTellsEveryStreamAndLosesNoEdit() throws {
        DescriptorLimit.raise()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-stop-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let served = try ServedProcess(["--sample", "--data", folder.path])
        defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
        let since = try ServerConnection(TestClient(port: served.port), port: served.port).snapshot("mix").revision
        var streams = try (0..<Self.streams).map { _ in
            try EventClient(port: served.port, "/v1/collections/mix/events?since=\(since)")
        }

        // Edits go on until nobody answers them any more.
        let acknowledged = Mutex<[String]>([])
        let underWay = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let port = served.port
        for editor in 0..<Self.editors {
            Thread.detachNewThread {
                defer {
                    underWay.signal()
                    done.signal()
                }
                guard let client = try? TestClient(port: port) else { return }
                let connection = ServerConnection(client, port: port)
                for number in 0... {
                    if number == 10 { underWay.signal() }
                    let id = "e\(editor)-\(number)"
                    let change = #"{"op":"insert","items":[{"id":"\#(id)","type":"music","title":"T"}]}"#
                    let json = Array(#"{"changes":[\#(change)]}"#.utf8)
                    guard let reply = try? connection.send("PATCH", "/v1/collections/mix", json: json),
                        reply.status == 200
                    else { return }
                    acknowledged.withLock { $0.append(id) }
                }
            }
        }
        for _ in 0..<Self.editors { underWay.wait() }
        kill(served.process.processIdentifier, SIGTERM)

        // Each closes its connection when it was told, as browsers do.
        while let stream = streams.popLast() {
            var last: EventClient.Event?
            // Up to the end of the body: it is not cut off.
            while let event = try stream.next() { last = event }
            #expect(last?.name == "bye", "stream \(streams.count) ended with \(String(describing: last?.name))")
        }
        for _ in 0..<Self.editors { done.wait() }
        #expect(served.restOfLog().hasSuffix("medley has stopped\n"))
        served.process.waitUntilExit()
        #expect(served.process.terminationStatus == 0)

        let ids = acknowledged.withLock { $0 }
        #expect(ids.count >= 10 * Self.editors)
        let running = try RunningServer(["--data", folder.path])
        defer { withExtendedLifetime(running) {} }
        let text = String(decoding: try running.connect().snapshot("mix").json, as: UTF8.self)
        let lost = ids.filter { !text.contains("\"\($0)\"") }
        #expect(lost.isEmpty, "of \(ids.count) acknowledged edits")
    }
}
