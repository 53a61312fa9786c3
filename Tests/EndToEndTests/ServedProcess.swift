import Foundation
import Glibc
import Testing

/// `medley serve` as a process of its own.
final class ServedProcess {
    /// The command beside the tests, or another that `MEDLEY_COMMAND` names.
    static var command: URL? {
        if let path = ProcessInfo.processInfo.environment["MEDLEY_COMMAND"] { return URL(fileURLWithPath: path) }
        let folder = Bundle.main.bundleURL
        let candidates = [
            folder, folder.deletingLastPathComponent(),
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        ]
        return candidates.map { $0.appendingPathComponent("medley") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    let process: Process
    let port: UInt16
    private let errors: Pipe

    /// Starts the command and waits until it says where it listens; port 0 is a free one.
    ///
    /// - Parameter output: takes the lines of requests, and must be read; by default nobody does.
    init(_ arguments: [String], port: UInt16 = 0, output: Pipe? = nil) throws {
        process = Process()
        let command: URL = try #require(Self.command)
        process.executableURL = command
        process.arguments = ["serve", "--listen", "127.0.0.1:\(port)"] + arguments
        errors = Pipe()
        process.standardError = errors
        process.standardOutput = output ?? FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("serves on") || text.last != "\n" {
            let data = errors.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the command ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        let digits = text.components(separatedBy: "://127.0.0.1:").last?.prefix { $0.isNumber }
        self.port = try #require(digits.flatMap { UInt16($0) }, "\(text)")
    }

    deinit { kill() }

    /// Kills it, if it still runs, and waits until it is gone.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// What the command says from now on, to its end.
    func restOfLog() -> String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// The tests' own environment without a token, and more.
    static func environment(_ more: [String: String]) -> [String: String] {
        var all = ProcessInfo.processInfo.environment
        all["MEDLEY_TOKEN"] = nil
        return all.merging(more) { _, new in new }
    }

    /// Runs the command with other arguments to its end; its status, and what it wrote.
    static func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> (status: Int32, text: String) {
        let process = Process()
        let command: URL = try #require(Self.command)
        process.executableURL = command
        process.arguments = arguments
        process.environment = Self.environment(environment)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
