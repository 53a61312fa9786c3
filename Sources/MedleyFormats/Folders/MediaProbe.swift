import Dispatch
import Foundation
import JSONText
import Synchronization

/// Asks `ffprobe` for the tags within a media file: one process a file, run without a shell, within a time and with a
/// bound on what it may say.
public struct MediaProbe: Sendable {
    private static let outputLimit = 1 << 20

    private let executable: String
    private let seconds: Double

    /// Uses a program; each file may take it so many seconds.
    public init(executable: String, seconds: Double = 10) {
        self.executable = executable
        self.seconds = seconds
    }

    /// The `ffprobe` that is first on `PATH`; `nil` if there is none.
    public static func onPath() -> MediaProbe? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let file = "\(folder)/ffprobe"
            if FileManager.default.isExecutableFile(atPath: file) { return MediaProbe(executable: file) }
        }
        return nil
    }

    /// What is said of a file, an absolute path: the members of `format` in the program's JSON.
    func members(of path: String) throws(ProbeError) -> JSONMembers {
        let output = try run([
            // Nothing but this file may be opened, whatever is in it.
            "-v", "error", "-protocol_whitelist", "file", "-print_format", "json", "-show_format", path,
        ])
        var scanner = JSONScanner(output, maximumDepth: ImportedEntry.maximumDepth)
        guard let all = try? scanner.members(), let format = all.value(of: "format") else {
            throw ProbeError(reason: "its tags cannot be read")
        }
        var inner = JSONScanner(Array(format), maximumDepth: ImportedEntry.maximumDepth)
        guard let members = try? inner.members() else { throw ProbeError(reason: "its tags cannot be read") }
        return members
    }

    private func run(_ arguments: [String]) throws(ProbeError) -> [UInt8] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = pipe
        do { try process.run() } catch { throw ProbeError(reason: "ffprobe cannot be started") }
        let output = Output()
        let reading = DispatchGroup()
        let handle = pipe.fileHandleForReading
        DispatchQueue.global().async(group: reading) {
            while let chunk = try? handle.read(upToCount: 1 << 16), !chunk.isEmpty {
                if !output.append([UInt8](chunk), limit: Self.outputLimit) { break }
            }
        }
        let isInTime = reading.wait(timeout: .now() + seconds) == .success
        // Whatever it is doing, nobody listens any more.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        guard isInTime else { throw ProbeError(reason: "ffprobe took too long") }
        guard let bytes = output.bytes else { throw ProbeError(reason: "its tags are too large") }
        return bytes
    }

    /// What a process has said; written on one queue, read when that is done.
    private final class Output: Sendable {
        private let state = Mutex<[UInt8]?>([])

        /// The bytes; `nil` if there were too many.
        var bytes: [UInt8]? { state.withLock { $0 } }

        func append(_ more: [UInt8], limit: Int) -> Bool {
            state.withLock { bytes in
                bytes?.append(contentsOf: more)
                if let count = bytes?.count, count > limit { bytes = nil }
                return bytes != nil
            }
        }
    }
}

/// Why a file's tags are not known.
struct ProbeError: Error {
    let reason: String
}
