import Foundation
import Testing

/// The server's lines for the operator, and what becomes of the server when nobody takes them.
@Suite struct LogTests {
    /// A server whose standard error is a pipe.
    private func serve() throws -> (process: Process, errors: Pipe, port: UInt16) {
        let process = Process()
        let command: URL = try #require(ServedProcess.command)
        process.executableURL = command
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--memory", "--sample"]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("serves on"), text.last != "\n" || !text.contains("127.0.0.1:") {
            let data = errors.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the command ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        let digits = text.components(separatedBy: "http://127.0.0.1:").last?.prefix { $0.isNumber }
        return (process, errors, try #require(digits.flatMap { UInt16($0) }))
    }

    @Test func aReaderOfTheLogThatGoesEndsNothing() throws {
        let (process, errors, port) = try serve()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try errors.fileHandleForReading.close()
        let client = try TestClient(port: port)
        try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receive().status == 200)
        // Its last lines have nowhere to go, and still it ends in order.
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }
}
