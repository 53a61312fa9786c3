import Foundation
import Testing

/// What the README says works as pasted.
@Suite struct TourTests {
    private static let readme = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("README.md")

    /// The lines of the blocks that are marked as the tour.
    static func lines() throws -> [String] {
        var lines: [String] = []
        var isTour = false
        for line in try String(contentsOf: readme, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("```") {
                isTour = line == "```sh tour"
            } else if isTour {
                lines.append(String(line))
            }
        }
        return lines
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "curl is not installed"))
    func everyLineWorksAsPasted() throws {
        let running = try RunningServer(["--sample"])
        let lines = try Self.lines()
        #expect(lines.count > 8)
        for line in lines {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = [
                "-c", line.replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(running.port)"),
            ]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(line)")
            #expect(!text.contains("/problems/"), "\(line): \(text)")
            if line.contains("/changes?since=") { #expect(text.contains(#""op":"update""#), "\(text)") }
            if line.contains("%{http_code}") { #expect(text == "304\n") }
        }
    }
}
