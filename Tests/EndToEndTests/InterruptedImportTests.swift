import Foundation
import Glibc
import MedleyCore
import Testing

/// An import that is stopped by Ctrl-C tells what is in, and goes on when it is run again.
@Suite(.enabled(if: ServedProcess.command != nil, "the command is not beside the tests"))
struct InterruptedImportTests {
    @Test func aStoppedImportTellsWhatIsInAndGoesOn() throws {
        let running = try RunningServer()
        let process = Process()
        let command: URL = try #require(ServedProcess.command)
        process.executableURL = command
        process.arguments = ["import", "-", "--into", "http://127.0.0.1:\(running.port)/v1/collections/c"]
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        // The file goes on, and for a long time nothing comes.
        let rows = (0..<10_000).map { "\($0),Title \($0)\n" }
        try input.fileHandleForWriting.write(contentsOf: Data(("id,title\n" + rows.joined()).utf8))
        let connection = try running.connect()
        var isThere = false
        let deadline = ContinuousClock.now + .seconds(120)
        while !isThere, ContinuousClock.now < deadline {
            let reply = try connection.send("GET", "/v1/collections/c/changes?since=x-1&reset=inline&wait=1")
            isThere = reply.status == 200 && reply.text.contains("\"499\"")
        }
        try #require(isThere)
        kill(process.processIdentifier, SIGINT)
        try input.fileHandleForWriting.close()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130, "\(printed)")
        let held = try connection.snapshot("c")
        let count = try Replica(json: held.json, revision: held.revision).snapshot.itemCount
        #expect(count > 0 && count < 10_000)
        #expect(printed.contains("inserted \(count),"), "\(printed)")
    }
}
