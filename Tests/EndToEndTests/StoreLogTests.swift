import Foundation
import MedleyApp
import Synchronization
import Testing

/// What an operator is told of the store when a server starts.
@Suite struct StoreLogTests {
    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        var text: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func lines(ofServing folder: String, _ arguments: [String] = []) throws -> [String] {
        let log = Log()
        let options = try ServeOptions(
            arguments: ["--listen", "127.0.0.1:0", "--data", folder] + arguments, environment: [:], cores: 1)
        let server = try MedleyServer(options) { log.add($0) }
        server.stop(grace: 5)
        return log.text
    }

    @Test func aNewStoreARecoveryAndAFolderThatIsOpenToOthersAreTold() throws {
        let folder = NSTemporaryDirectory() + "medley-log-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try lines(ofServing: folder, ["--sample"]) == ["medley made a new store in \(folder)"])
        let recovered = try lines(ofServing: folder)
        #expect(recovered.first == "medley recovers \(folder)")
        #expect(recovered.count == 2)
        let line = try #require(recovered.last)
        #expect(line.wholeMatch(of: /medley recovered 3 collections with [1-9][0-9]* items in [0-9]+\.[0-9] s/) != nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        #expect(try lines(ofServing: folder).contains { $0.contains("rights to \(folder)") })
    }
}
