import Foundation
import MedleyApp
import MedleyClient
import MedleyService
import Synchronization
import Testing

/// Clients whose token may make few requests a second.
@Suite struct RateTests {
    /// How many answers of a status there were.
    private final class Statuses: Sendable {
        private let counts = Mutex<[Int: Int]>([:])
        subscript(status: Int) -> Int { counts.withLock { $0[status] ?? 0 } }
        func add(_ status: Int) { counts.withLock { $0[status, default: 0] += 1 } }
    }

    @Test func anImportThatIsTooFastWaitsAndGoesOn() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tokens, items) = (folder.appendingPathComponent("tokens"), folder.appendingPathComponent("items.jsonl"))
        let (token, stored) = StoredToken.issue(Grant(name: "import", right: .admin, collections: [.all]))
        try #require(
            FileManager.default.createFile(
                atPath: tokens.path, contents: Data(TokenFile.line(stored).utf8), attributes: [.posixPermissions: 0o600]
            ))
        let count = 4_000
        let lines = (0..<count).map {
            #"{"id":"i\#($0)","type":"music","m":"\#(String(repeating: "x", count: 2_000))"}"#
        }
        try lines.joined(separator: "\n").write(to: items, atomically: true, encoding: .utf8)

        let running = try RunningServer(["--token-file", tokens.path, "--rate", "1"])
        let statuses = Statuses()
        let network = ClientTransport.network()
        let shown = ["Authorization": "Bearer \(token)"]
        let service = "http://127.0.0.1:\(running.port)/v1"
        let transport = ClientTransport { request throws(ClientError) in
            // However long a batch takes here: for the first ones others with the same token have used it up.
            while statuses[429] < 3 {
                let other = ClientRequest(method: "GET", url: service, headers: shown)
                if try await network.send(other).status == 429 { break }
            }
            var request = request
            request.headers.merge(shown) { _, own in own }
            let response = try await network.send(request)
            statuses.add(response.status)
            return response
        }
        let status = await ImportCommand.run(
            [items.path, "--into", "http://127.0.0.1:\(running.port)/v1/collections/c"],
            output: CommandOutput(print: { _ in }, error: { Issue.record("\($0)") }, isTerminal: false),
            transport: transport, retries: RetryPolicy(random: { _ in 0 }))
        #expect(status == 0)
        #expect(statuses[429] > 0)
        let list = try running.connect().send("GET", "/v1/collections", [("Authorization", "Bearer \(token)")])
        #expect([200, 429].contains(list.status))
        if list.status == 200 { #expect(list.text.contains(#""items":\#(count)}"#)) }
    }
}
