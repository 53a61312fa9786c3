import EventLoop
import Foundation
import MedleyService
import Testing

@testable import MedleyApp

@Suite struct AccessPolicyTests {
    private func policy(_ listen: String, _ arguments: [String]) throws -> AccessPolicy {
        let options = try ServeOptions(arguments: arguments, environment: [:], cores: 1)
        return try AccessPolicy(options, addresses: [try SocketAddress(parsing: listen)])
    }

    /// Where it listens, the options, and what may be done without a token.
    @Test(
        arguments: [
            ("127.0.0.1:1", [], .admin), ("[::1]:1", [], .admin),
            ("127.0.0.1:1", ["--allow-anonymous", "read"], .read),
            ("127.0.0.1:1", ["--token-file", "t"], nil), ("0.0.0.0:1", ["--token-file", "t"], nil),
            ("0.0.0.0:1", ["--allow-anonymous", "read"], .read), ("[::]:1", ["--allow-anonymous=write"], .write),
            ("192.168.0.7:1", ["--token-file", "t", "--allow-anonymous", "read"], .read),
        ] as [(String, [String], Right?)])
    func whatNeedsNoTokenIsSaidOrLocal(listen: String, arguments: [String], right: Right?) throws {
        #expect(try policy(listen, arguments).anonymous == right)
    }

    @Test(arguments: ["0.0.0.0:1", "[::]:1", "192.168.0.7:1", "[fe80::1]:1", "[::ffff:127.0.0.1]:1"])
    func nobodyIsLetInFromElsewhereByLeavingSomethingOut(listen: String) throws {
        let refusal = try #require(throws: AccessPolicy.Refusal.self) { try policy(listen, ["--host", "a"]) }
        #expect(refusal.message.contains("--token-file"))
        #expect(refusal.message.contains("--allow-anonymous"))
    }

    /// Where it listens, the options, and whether names are checked: `Host: evil.example`, `Host: 192.168.0.7`.
    @Test(
        arguments: [
            ("127.0.0.1:1", [], false, false), ("127.0.0.1:1", ["--host", "evil.example"], true, false),
            ("127.0.0.1:1", ["--host", "*"], true, true), ("127.0.0.1:1", ["--token-file", "t"], true, true),
            ("127.0.0.1:1", ["--token-file", "t", "--host", "a"], false, false),
            ("127.0.0.1:1", ["--token-file", "t", "--allow-anonymous", "read"], false, false),
            ("0.0.0.0:1", ["--allow-anonymous", "read"], false, true),
            ("0.0.0.0:1", ["--token-file", "t"], true, true),
        ] as [(String, [String], Bool, Bool)])
    func namesAreCheckedWhereSomethingNeedsNoToken(
        listen: String, arguments: [String], admitsName: Bool, admitsNumber: Bool
    ) throws {
        let hosts = try policy(listen, arguments).hosts
        #expect((hosts?.admit("evil.example") ?? true) == admitsName)
        #expect((hosts?.admit("192.168.0.7") ?? true) == admitsNumber)
        #expect(hosts?.admit("localhost:8080") ?? true)
    }

    @Test func aServerThatIsRefusedStartsNothing() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)").path
        let options = try ServeOptions(
            arguments: ["--listen", "0.0.0.0:0", "--data", folder], environment: [:], cores: 1)
        #expect(throws: AccessPolicy.Refusal.self) { try MedleyServer(options) }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func theFirstTokenIsMadeOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("tokens").path
        let options = try ServeOptions(
            arguments: ["--listen", "127.0.0.1:0", "--memory", "--token-file", path, "--first-token", "first"],
            environment: [:], cores: 1)
        for _ in 0..<2 { try MedleyServer(options).stop(grace: 1) }
        let tokens = try TokenFileEditor(path: path).read().tokens
        #expect(tokens.map(\.grant) == [Grant(name: "first", right: .admin, collections: [.all])])
    }
}
