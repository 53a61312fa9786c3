import Glibc

/// The server in C that does nothing but write so many bytes to all who wait.
final class Bare {
    let process: ChildProcess
    let port: UInt16
    private let connection: Int32

    init(_ options: Options) throws {
        port = try Socket.freePort()
        process = try ChildProcess(Self.program, ["\(port)", "\(options.loops)"])
        connection = try retrying { [port] in try Socket.connect(port: port, number: 0) }
        for _ in 0..<100 { _ = try waiting() }
    }

    deinit { close(connection) }

    /// The program beside this one.
    private static var program: String {
        let own = CommandLine.arguments[0]
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/BareServer"
    }

    /// Has it write so many bytes to all.
    func trigger(_ bytes: Int) throws { try Socket.send(Array("E \(bytes)\n".utf8), to: connection) }

    /// Waits for the answer to `trigger`.
    func confirm() throws { _ = try line() }

    /// Waits until so many wait.
    func wait(for count: Int) throws {
        let deadline = nanoseconds() + 30_000_000_000
        while try waiting() != count {
            guard nanoseconds() < deadline else { throw BenchmarkError("there never were \(count) connections") }
            usleep(2_000)
        }
    }

    private func waiting() throws -> Int {
        try Socket.send(Array("C\n".utf8), to: connection)
        return Int(try line()) ?? -1
    }

    private func line() throws -> Substring {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchmarkError("the bare server closed the connection") }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first ?? ""
    }
}
