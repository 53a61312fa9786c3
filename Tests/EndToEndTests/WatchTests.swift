import Foundation
import Glibc
import MedleyApp
import MedleyCore
import MedleyJSON
import Testing

/// `medley watch` as a process of its own.
@Suite struct WatchTests {
    private static func url(_ port: UInt16) -> String { "http://127.0.0.1:\(port)/v1/collections/mix" }

    @Test(arguments: [SIGINT, SIGTERM])
    func changesArePrintedUntilASignalEndsItQuietly(signal: Int32) throws {
        let running = try RunningServer(["--sample"])
        let watching = try WatchingProcess([Self.url(running.port)])
        #expect(try watching.complaint().hasPrefix("medley watch: follows mix at "))
        let connection = try running.connect()
        #expect(try connection.patch("mix", [Change(.setLiked(["v2"], true))]).answer != nil)
        #expect(try watching.line().hasPrefix("liked     "))
        #expect(try connection.patch("mix", [Change(.move(["v3"], to: .first(in: nil)))]).answer != nil)
        #expect(try watching.line().hasPrefix("moved     "))
        #expect(watching.end(by: signal) == 0)
    }

    @Test func jsonLinesLeadFromOneRevisionToTheNext() throws {
        let running = try RunningServer(["--sample"])
        let connection = try running.connect()
        let start = try connection.snapshot("mix")
        #expect(try connection.patch("mix", [Change(.delete(["v1"]))]).answer != nil)
        let watching = try WatchingProcess([Self.url(running.port), "--json", "--since", "\(start.revision)"])
        var replica = try Replica(json: start.json, revision: start.revision)
        for id in ["v2", "v3"] as [ItemID] {
            let answer = try ChangeDecoder().changesAnswer(Array(try watching.line().utf8))
            #expect(answer.from == replica.snapshot.revision)
            try replica.apply(answer.changes ?? [], to: answer.to)
            #expect(replica.snapshot.revision == (try connection.snapshot("mix").revision))
            #expect(try connection.patch("mix", [Change(.toggleLiked([id]))]).answer != nil)
        }
        #expect(watching.end(by: SIGINT) == 0)
    }

    @Test func aRestartIsSurvivedAndANewLineageStartsOver() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-watch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var served = try ServedProcess(["--sample", "--data", folder.path])
        let port = served.port
        let watching = try WatchingProcess([Self.url(port)])
        _ = try watching.complaint()
        served.kill()
        #expect(try watching.complaint().contains("no server answers"))
        served = try ServedProcess(["--data", folder.path], port: port)
        #expect(try watching.complaint() == "medley watch: the server is back")
        let connection = ServerConnection(try TestClient(port: port), port: port)
        #expect(try connection.patch("mix", [Change(.delete(["v1"]))]).answer != nil)
        #expect(try watching.line().hasPrefix("deleted   "))
        served.kill()
        #expect(try watching.complaint().contains("no server answers"))
        served = try ServedProcess(["--sample", "--memory"], port: port)
        let complaints = [try watching.complaint(), try watching.complaint()]
        #expect(complaints[0] == "medley watch: the server is back")
        #expect(complaints[1].hasPrefix("medley watch: started over: mix is at "))
        #expect(watching.end(by: SIGINT) == 0)
        served.kill()
    }
}
