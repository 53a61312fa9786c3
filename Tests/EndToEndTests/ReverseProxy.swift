import Foundation

/// nginx in front of a server, on a free port, with its files in a folder of its own.
final class ReverseProxy {
    /// Where nginx is; `nil` if it is not installed.
    static let program: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { URL(fileURLWithPath: $0).appendingPathComponent("nginx") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    private static let attempts = 5

    let port: UInt16
    private let process: Process
    private let folder: URL

    /// Starts nginx and returns when it accepts connections.
    ///
    /// - Parameter settings: directives of the place that passes requests on, beside `proxy_pass`.
    init(to server: UInt16, _ settings: String) throws {
        guard let program = Self.program else { throw TestClient.Failure(message: "nginx is not installed") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-proxy-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        // Another process may take the port between the look and the start.
        for _ in 0..<Self.attempts {
            let port = try Self.freePort()
            try Self.configuration(port, server, settings, folder)
                .write(to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = program
            process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            while process.isRunning {
                if (try? TestClient(port: port)) != nil {
                    self.port = port
                    self.process = process
                    return
                }
                usleep(1_000)
            }
        }
        let log = (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
        try? FileManager.default.removeItem(at: folder)
        throw TestClient.Failure(message: "nginx does not start: \(log)")
    }

    deinit {
        // It has nothing to finish, and inherits the tests' blocked signals: SIGTERM would not reach it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// One process, as the user that runs the tests.
    private static func configuration(
        _ port: UInt16, _ server: UInt16, _ settings: String, _ folder: URL
    ) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log error.log;
        events { worker_connections 128; }
        http {
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            server {
                listen 127.0.0.1:\(port);
                location / {
                    proxy_pass http://127.0.0.1:\(server);
                    \(settings)
                }
            }
        }
        """
    }

    /// A port that nobody has at the moment.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let isBound = unsafe bind(descriptor, $0, size) == 0
                return unsafe isBound && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw TestClient.Failure(message: "no free port: \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
