import Glibc

/// A `medley serve` of its own.
final class Server {
    let port: UInt16
    let pid: pid_t
    private var isRunning = true

    /// Starts the program; `log` takes what it says.
    ///
    /// - Parameter store: the folder of its store; `nil` for `--memory`.
    init(_ program: String, store: String?, log: String) throws {
        port = try Self.freePort()
        let arguments =
            [program, "serve", "--access-log", "off", "--listen", "127.0.0.1:\(port)"]
            + (store.map { ["--data", $0] } ?? ["--memory"])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        var strings = arguments.map { strdup($0) }
        defer { for string in strings { free(string) } }
        strings.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, nil, &strings, &environment)
        guard code == 0 else { throw BenchmarkError("\(program): \(String(cString: strerror(code)))") }
        pid = child
    }

    deinit { if isRunning { _ = try? end(SIGKILL) } }

    /// A port that nobody has at the moment.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = HTTPConnection.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw BenchmarkError.call("bind") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until `GET /readyz` is answered with 200.
    func waitUntilReady(within limit: Double = 300) throws {
        let start = nanoseconds()
        while seconds(since: start) < limit {
            if let connection = try? HTTPConnection(port: port),
                let answer = try? connection.ask(Requests.get("/readyz")), answer.status == 200
            {
                return
            }
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                isRunning = false
                throw BenchmarkError("the server has ended")
            }
            usleep(2_000)
        }
        throw BenchmarkError("the server was not ready within \(limit) s")
    }

    /// Sends a signal and waits for the end; the seconds that it took.
    @discardableResult
    func end(_ signal: Int32) throws -> Double {
        let start = nanoseconds()
        guard isRunning, kill(pid, signal) == 0 else { throw BenchmarkError("the server has ended") }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isRunning = false
        return seconds(since: start)
    }

    // MARK: What it tells of itself

    /// A number of `GET /metrics`.
    func metrics(_ names: String...) throws -> [Int] {
        let lines = try HTTPConnection(port: port).edit(Requests.get("/metrics")).text.split(separator: "\n")
        return try names.map { name in
            guard let line = lines.first(where: { $0.hasPrefix("\(name) ") }),
                let text = line.split(separator: " ").last,
                let value = Int(text)
            else { throw BenchmarkError("/metrics lacks \(name)") }
            return value
        }
    }

    /// Memory in use and the most that was, in MB.
    func memory() throws -> (now: Double, peak: Double) {
        func megabytes(_ name: String, _ lines: [Substring]) -> Double {
            let line = lines.first { $0.hasPrefix(name) }
            return (line?.split(separator: " ").dropLast().last.flatMap { Double($0) } ?? .nan) * 1024 / 1e6
        }
        let lines = try Self.file("/proc/\(pid)/status").split(separator: "\n").map { line in
            Substring(String(line.map { $0 == "\t" ? " " : $0 }))
        }
        return (megabytes("VmRSS:", lines), megabytes("VmHWM:", lines))
    }

    /// The processor's seconds that it has used.
    func processorSeconds() throws -> Double {
        let fields = try Self.file("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The bytes that it has handed to the disk, in MB.
    func megabytesWritten() throws -> Double {
        let line = try Self.file("/proc/\(pid)/io").split(separator: "\n").first { $0.hasPrefix("write_bytes:") }
        return (line?.split(separator: " ").last.flatMap { Double($0) } ?? .nan) / 1e6
    }

    static func file(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw BenchmarkError.call(path) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
