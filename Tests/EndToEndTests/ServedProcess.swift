import Foundation
import Testing

/// `medley serve` as a process of its own, on a free port of loopback.
struct ServedProcess {
    let process: Process
    let port: UInt16
    private let errors: Pipe

    /// The command beside the tests.
    static var command: URL? {
        let folder = Bundle.main.bundleURL
        let candidates = [
            folder, folder.deletingLastPathComponent(),
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
        ]
        return candidates.map { $0.appendingPathComponent("medley") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Starts the command and waits until it says where it listens.
    init(_ arguments: [String]) throws {
        process = Process()
        let command: URL = try #require(Self.command)
        process.executableURL = command
        process.arguments = ["serve", "--listen", "127.0.0.1:0"] + arguments
        errors = Pipe()
        process.standardError = errors
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let data = errors.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the command ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        let digits = text.components(separatedBy: "127.0.0.1:").last?.prefix { $0.isNumber }
        port = try #require(digits.flatMap { UInt16($0) }, "\(text)")
    }

    /// What the command says from now on, to its end.
    func restOfLog() -> String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
}
