import Foundation
import Glibc
import MedleyCore
import Testing

/// `medley import`, `export` and `watch` against a server that wants tokens.
@Suite final class ClientAccessTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
    private let served: ServedProcess
    private let songs: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        songs = folder.appendingPathComponent("songs.csv").path
        try Data("Song,Artist\nNaima,John Coltrane\n".utf8).write(to: URL(fileURLWithPath: songs))
        let file = folder.appendingPathComponent("tokens").path
        let (status, _) = try ServedProcess.run([
            "token", "new", "first", "--right", "read", "--collections", "x", "--file", file,
        ])
        #expect(status == 0)
        served = try ServedProcess(["--sample", "--memory", "--token-file", file])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func url(_ collection: String) -> String {
        "http://127.0.0.1:\(served.port)/v1/collections/\(collection)"
    }

    /// Makes a token, which is in force at once, and a file that holds it.
    private func token(_ name: String, _ right: String, _ collections: String) throws -> String {
        let (status, text) = try ServedProcess.run(
            ["token", "new", name, "--right", right, "--collections", collections, "--file", path("tokens")])
        #expect(status == 0)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
        kill(served.process.processIdentifier, SIGHUP)
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let client = try TestClient(port: served.port)
        let request = "GET /v1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        repeat { try client.send(request) } while try client.receive().status == 401
        return token
    }

    @Test func anImportShowsItsToken() throws {
        let reader = try token("reader", "read", "*")
        _ = try token("boss", "admin", "*")
        let arguments = ["import", songs, "--into", url("songs"), "--type", "music"]
        let without = try ServedProcess.run(arguments)
        #expect(
            without.status == 1 && without.text.contains("the server wants a token: set MEDLEY_TOKEN"), "\(without)")
        let reading = try ServedProcess.run(arguments, environment: ["MEDLEY_TOKEN": reader])
        #expect(
            reading.status == 1 && reading.text.contains("this token has no right to import into songs"), "\(reading)")
        // The option goes before the variable.
        let boss = try ServedProcess.run(
            arguments + ["--token-from", path("boss")], environment: ["MEDLEY_TOKEN": reader])
        #expect(boss.status == 0 && boss.text.hasPrefix("read 1, inserted 1"), "\(boss)")
        for text in [without.text, reading.text, boss.text] { #expect(!text.contains("medley_")) }
    }

    @Test func anExportShowsItsToken() throws {
        let reader = try token("reader", "read", "mix")
        let without = try ServedProcess.run(["export", url("mix")])
        #expect(without.status == 1 && without.text.contains("the server wants a token"), "\(without)")
        let exported = try ServedProcess.run(["export", url("mix")], environment: ["MEDLEY_TOKEN": reader])
        #expect(exported.status == 0 && exported.text.contains(#""id":"v1""#))
        let foreign = try ServedProcess.run(["export", url("characters"), "--token-from", path("reader")])
        #expect(foreign.status == 1 && foreign.text.contains("Or the token is not for it."), "\(foreign)")
        let wrong = try ServedProcess.run(["export", url("mix")], environment: ["MEDLEY_TOKEN": reader + "x"])
        #expect(wrong.status == 1 && wrong.text.contains("the server does not take the token"), "\(wrong)")
        #expect(!wrong.text.contains(reader))
    }

    @Test func aWatchEndsWhenItsTokenIsWithdrawn() throws {
        let editor = try token("editor", "write", "mix")
        let watching = try WatchingProcess(
            [url("mix")], environment: ["MEDLEY_TOKEN": try token("reader", "read", "mix")])
        #expect(try watching.complaint().hasPrefix("medley watch: follows mix at "))
        let connection = ServerConnection(try TestClient(port: served.port), port: served.port)
        let reply = try connection.send(
            "PATCH", "/v1/collections/mix", [("Authorization", "Bearer \(editor)")],
            json: Array(#"{"changes":[{"op":"like","ids":["v2"]}]}"#.utf8))
        #expect(reply.status == 200)
        #expect(try watching.line().hasPrefix("liked     "))
        #expect(try ServedProcess.run(["token", "revoke", "reader", "--file", path("tokens")]).status == 0)
        kill(served.process.processIdentifier, SIGHUP)
        #expect(try watching.complaint().hasPrefix("medley watch: the server does not take the token ("))
        #expect(watching.end() == 1)
    }

    @Test(arguments: ["import", "export", "watch"], [["--token", "medley_x_y"], ["--token=medley_x_y"]])
    func aTokenAmongTheArgumentsIsRefused(command: String, option: [String]) throws {
        let (status, text) = try ServedProcess.run([command] + option)
        #expect(status == 2)
        #expect(text.hasPrefix("medley \(command): --token is no option, since arguments can be seen"), "\(text)")
        #expect(!text.contains("medley_x_y"))
    }

    @Test func aFileOrAVariableThatIsNoTokenIsToldWithoutBeingShown() throws {
        try Data("one secret\ntwo\n".utf8).write(to: URL(fileURLWithPath: path("two")))
        let two = try ServedProcess.run(["export", url("mix"), "--token-from", path("two")])
        #expect(two.status == 1 && two.text.contains("not a file whose only line is a token"))
        let none = try ServedProcess.run(["watch", url("mix"), "--token-from", path("none")])
        #expect(none.status == 1 && none.text.contains("cannot be read"))
        let variable = try ServedProcess.run(["export", url("mix")], environment: ["MEDLEY_TOKEN": "one secret"])
        #expect(variable.status == 1 && variable.text.contains("MEDLEY_TOKEN is not a token"))
        for text in [two.text, variable.text] { #expect(!text.contains("secret")) }
    }
}
