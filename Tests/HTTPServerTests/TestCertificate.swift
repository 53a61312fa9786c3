import EventLoop
import Foundation
import Glibc

/// A self-signed certificate for 127.0.0.1 and localhost with its key, in a folder that goes with it.
final class TestCertificate: Sendable {
    /// One for all tests that need no other.
    static let shared = try? TestCertificate()

    let folder: URL
    var certificate: String { folder.appendingPathComponent("cert.pem").path }
    var key: String { folder.appendingPathComponent("key.pem").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try renew()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes another certificate and key in the same files.
    ///
    /// - Parameter kind: what `openssl req -newkey` takes.
    func renew(kind: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], days: Int = 2) throws {
        try Self.run(
            ["req", "-x509", "-nodes", "-days", "\(days)", "-subj", "/CN=medley test", "-newkey"] + kind + [
                "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        unsafe chmod(key, 0o600)
    }

    /// Runs `openssl` to its end with nothing to read; its status must be 0.
    @discardableResult
    static func run(_ arguments: [String]) throws -> String {
        let (status, text) = try output(of: arguments)
        guard status == 0 else {
            throw TestClient.Failure(message: "openssl \(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }

    /// Runs `openssl` to its end with some input; its status and what it wrote.
    static func output(of arguments: [String], input: String = "") throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        let given = Pipe()
        process.standardInput = given
        process.standardOutput = output
        process.standardError = output
        try process.run()
        given.fileHandleForWriting.write(Data(input.utf8))
        try given.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
