import Foundation

/// `medley serve --data` as a process of its own, which can be killed at any moment and never outlives the test.
// SAFETY: what changes is read and written under `condition`.
final class CrashServer: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What became of a start.
    enum Outcome {
        case serves(port: UInt16)
        case ended(status: Int32)
    }

    /// The longest wait for anything, in seconds.
    static let patience = 60.0

    private let process = Process()
    private let condition = NSCondition()
    /// Signalled when the process has been waited for.
    private let reaped = DispatchSemaphore(value: 0)
    private var text = ""
    private var port: UInt16?
    private var status: Int32?
    private var isSilent = false

    /// Starts the command; does not wait for it to serve.
    init(data folder: URL) throws {
        guard let command = ServedProcess.command else {
            throw Failure(description: "there is no medley beside the tests")
        }
        process.executableURL = command
        process.arguments = ["serve", "--data", folder.path, "--listen", "127.0.0.1:0"]
        // The variables that are options too say nothing here.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MEDLEY_") }
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let reaped = self.reaped
        process.terminationHandler = { [weak self] process in
            self?.change { $0.status = process.terminationStatus }
            reaped.signal()
        }
        try process.run()
        let reader = errors.fileHandleForReading
        Thread { [weak self] in
            while true {
                let data = reader.availableData
                self?.change { $0.take(data) }
                if data.isEmpty { return }
            }
        }.start()
        // Whoever must end a trial that was itself killed finds the process by this.
        let file = folder.deletingLastPathComponent().appendingPathComponent("server.pid")
        try? Data("\(process.processIdentifier)\n".utf8).write(to: file)
    }

    deinit {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = reaped.wait(timeout: .now() + Self.patience)
    }

    /// What the command wrote to its standard error so far.
    var errors: String {
        condition.lock()
        defer { condition.unlock() }
        return text
    }

    /// Waits until the command serves or has ended.
    func outcome() throws -> Outcome {
        try wait("the command neither serves nor ends") { $0.port != nil || $0.hasEnded }
        condition.lock()
        defer { condition.unlock() }
        if let port, status == nil { return .serves(port: port) }
        return .ended(status: status ?? -1)
    }

    /// Waits until the command serves.
    func servingPort() throws -> UInt16 {
        switch try outcome() {
        case .serves(let port): return port
        case .ended(let status): throw Failure(description: "the command ended with \(status): \(errors)")
        }
    }

    /// Sends a signal and waits for the end; returns the exit status, or the signal's number.
    @discardableResult
    func end(by signal: Int32) throws -> Int32 {
        condition.lock()
        let isRunning = status == nil
        condition.unlock()
        if isRunning { Foundation.kill(process.processIdentifier, signal) }
        try wait("signal \(signal) did not end the command") { $0.status != nil }
        condition.lock()
        defer { condition.unlock() }
        return status ?? -1
    }

    private var hasEnded: Bool { status != nil && isSilent }

    private func change(_ body: (CrashServer) -> Void) {
        condition.lock()
        body(self)
        condition.broadcast()
        condition.unlock()
    }

    private func wait(_ message: String, until isMet: (CrashServer) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        condition.lock()
        defer { condition.unlock() }
        while !isMet(self) {
            if !condition.wait(until: deadline) {
                throw Failure(description: "\(message) in \(Self.patience) s; it said: \(text)")
            }
        }
    }

    private func take(_ data: Data) {
        isSilent = data.isEmpty
        text += String(decoding: data, as: UTF8.self)
        for line in text.components(separatedBy: "\n").dropLast() where port == nil {
            guard let rest = line.components(separatedBy: "serves on http://127.0.0.1:").dropFirst().first else {
                continue
            }
            port = UInt16(rest.prefix { $0.isNumber })
        }
    }
}
