import Foundation
import Glibc
import Testing

/// `medley watch` as a process of its own, whose output is read line by line.
final class WatchingProcess {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var rests: [ObjectIdentifier: String] = [:]

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let command: URL = try #require(ServedProcess.command)
        process.executableURL = command
        process.arguments = ["watch"] + arguments
        process.environment = ServedProcess.environment(environment)
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    func line() throws -> String { try line(of: output) }
    func complaint() throws -> String { try line(of: errors) }

    private func line(of pipe: Pipe) throws -> String {
        let id = ObjectIdentifier(pipe)
        while true {
            let rest = rests[id] ?? ""
            if let end = rest.firstIndex(of: "\n") {
                rests[id] = String(rest[rest.index(after: end)...])
                return String(rest[..<end])
            }
            let data = pipe.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the command ended: \(rest)")
            rests[id] = rest + String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits until it ends by itself; the status.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Stops it by a signal; the status.
    func end(by signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
