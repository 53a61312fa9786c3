import Foundation
import MedleyApp
import MedleyCore
import Synchronization

/// A run of `medley import` into the collection `c` of a live server.
struct ImportRun {
    let status: Int32
    let printed: String
    let errors: String

    /// Imports a file.
    init(_ file: URL, into target: RunningServer, _ options: [String] = []) async {
        let printed = Mutex("")
        let errors = Mutex("")
        let output = CommandOutput(
            print: { line in printed.withLock { $0 += line + "\n" } },
            error: { text in errors.withLock { $0 += text } }, isTerminal: false)
        status = await ImportCommand.run(
            [file.path, "--into", "http://127.0.0.1:\(target.port)/v1/collections/c"] + options, output: output)
        self.printed = printed.withLock { $0 }
        self.errors = errors.withLock { $0 }
    }

    /// Writes bytes to a file, imports it and removes it.
    init(_ bytes: [UInt8], _ name: String, into target: RunningServer, _ options: [String] = []) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        await self.init(file, into: target, options)
    }

    /// What a collection of the server holds; `nil` if there is none.
    static func collection(of target: RunningServer) throws -> (content: NaiveCollection, revision: Revision)? {
        let connection = try target.connect()
        if try connection.send("GET", "/v1/collections/c").status == 404 { return nil }
        let held = try connection.snapshot("c")
        return (NaiveCollection(try Replica(json: held.json, revision: held.revision).snapshot), held.revision)
    }
}
