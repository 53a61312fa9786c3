import Foundation
import JSONText
import MedleyCore
import Testing

/// A server whose disk fills up: a file system of its own, of a few megabytes.
@Suite struct FullDiskTests {
    private static func insert(_ number: Int) -> Change {
        let text = String(repeating: "x", count: 20_000)
        return Change(
            .insert(
                [
                    ItemContent(
                        id: ItemID("i\(number)"), type: ItemType("music"), liked: nil,
                        model: .init(trusted: Array("\"title\":\"\(text)\"".utf8)))
                ], at: .last(in: nil)))
    }

    @Test(.enabled(if: SmallDisk.mayMount, "this process may not mount a file system"))
    func editsAreRefusedReadsGoOnAndServiceResumesByItself() throws {
        let disk = try #require(SmallDisk(megabytes: 4))
        let filler = disk.path + "/filler"
        let data = disk.path + "/data"
        var acknowledged: [String] = []
        var snapshot: [UInt8] = []
        do {
            let running = try RunningServer(["--data", data])
            let client = try running.connect()
            _ = try client.send(
                "PUT", "/v1/collections/c", json: Array(#"{"sections":[{"id":"s"}]}"#.utf8))
            for round in 0..<2 {
                // Something else takes what is left.
                try disk.fill(leaving: 200_000)
                var refused: TestClient.Reply?
                for number in 0..<100 where refused == nil {
                    let reply = try client.patch("c", [Self.insert(round * 1_000 + number)]).reply
                    if reply.status == 200 {
                        acknowledged.append("i\(round * 1_000 + number)")
                    } else {
                        refused = reply
                    }
                }
                let problem = try #require(refused)
                #expect(problem.status == 503)
                #expect(problem["Retry-After"] != nil)
                #expect(problem.text.contains("storage-failed"))
                #expect(try client.send("GET", "/readyz").status == 503)
                #expect(try client.send("GET", "/healthz").status == 200)
                // Nothing of it is seen.
                let items = try client.send("GET", "/v1/collections/c?models=none").text
                #expect(items.components(separatedBy: "\"id\":\"i").count - 1 == acknowledged.count)

                try FileManager.default.removeItem(atPath: filler)
                // Without an edit: a balancer sends none to what is not ready.
                let deadline = Date(timeIntervalSinceNow: 60)
                while try client.send("GET", "/readyz").status != 200 {
                    try #require(Date() < deadline, "the service did not resume")
                    usleep(20_000)
                }
                #expect(try client.patch("c", [Self.insert(round * 1_000 + 500)]).reply.status == 200)
                acknowledged.append("i\(round * 1_000 + 500)")
            }
            snapshot = try client.snapshot("c").json
        }
        let again = try RunningServer(["--data", data])
        #expect(try again.connect().snapshot("c").json == snapshot)
        #expect(acknowledged.count > 4)
    }
}
