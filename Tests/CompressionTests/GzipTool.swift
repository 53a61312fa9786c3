import Foundation

/// The system's `gzip`: what was not written here says whether a body is right.
enum GzipTool {
    /// What `gzip -dc` makes of a body; throws if it refuses it.
    static func inflate(_ body: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gz")
        try Data(body).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refused(status: process.terminationStatus) }
        return bytes
    }

    /// `gzip` did not take the body.
    struct Refused: Error {
        let status: Int32
    }
}
