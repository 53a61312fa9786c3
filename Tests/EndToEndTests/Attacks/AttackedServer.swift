import EventLoop
import Foundation
import Glibc
import Testing

/// A server that is attacked, and what an attacker has.
// SAFETY: nothing changes after the initialisation; the process is ended by the last who holds the server.
final class AttackedServer: @unchecked Sendable {
    let served: ServedProcess
    var port: UInt16 { served.port }
    /// Whether the attacks last as long as the server's deadlines; else they are cut short.
    let isWhole: Bool
    /// A token for everything, if the server wants one.
    let admin: String?
    /// A token for reading and editing the collection `mix`, if the server wants one.
    let guest: String?
    /// The certificate of a server that speaks TLS.
    let certificate: TestCertificate?
    private let folder: URL

    /// Starts a server with the samples in memory.
    init(_ arguments: [String], wantsTokens: Bool, speaksTLS: Bool, isWhole: Bool) throws {
        DescriptorLimit.raise()
        // What OpenSSL writes to a connection that the server has closed must not end the tests.
        _ = signal(SIGPIPE, SIG_IGN)
        self.isWhole = isWhole
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("medley-attack-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tokens = folder.appendingPathComponent("tokens").path
        var access: [String] = []
        if wantsTokens {
            admin = try Self.makeToken("admin", "admin", "*", tokens)
            guest = try Self.makeToken("guest", "write", "mix", tokens)
            access = ["--token-file", tokens]
        } else {
            (admin, guest) = (nil, nil)
        }
        certificate = speaksTLS ? try TestCertificate() : nil
        if let certificate { access += ["--tls-cert", certificate.certificate, "--tls-key", certificate.key] }
        served = try ServedProcess(["--memory", "--sample"] + access + arguments)
    }

    deinit {
        served.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func makeToken(
        _ name: String, _ right: String, _ collections: String, _ file: String
    ) throws -> String {
        let (status, text) = try ServedProcess.run(
            ["token", "new", name, "--right", right, "--collections", collections, "--file", file])
        try #require(status == 0, "\(text)")
        return try #require(
            text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("medley_") }.map(String.init))
    }

    /// Takes the guest's token away, and has the server know.
    func revokeGuest() throws {
        let file = folder.appendingPathComponent("tokens").path
        let (status, text) = try ServedProcess.run(["token", "revoke", "guest", "--file", file])
        try #require(status == 0, "\(text)")
        Glibc.kill(served.process.processIdentifier, SIGHUP)
    }

    func connect(receiveBuffer: Int32? = nil) throws -> TestClient {
        try TestClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// A connection as the honest have it: over TLS, if the server speaks it.
    func connectInOrder() throws -> TestClient {
        guard let certificate else { return try connect() }
        return try TestClient(port: port, through: { try TLSTransport($0, authority: certificate.certificate) })
    }

    /// Connections, so many.
    func connections(_ count: Int) throws -> [TestClient] { try (0..<count).map { _ in try connect() } }

    /// The head of a request up to where more fields may follow.
    static func head(_ method: String, _ target: String, token: String? = nil) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n" + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
    }

    /// Sends a request and tells the answer.
    func ask(
        _ method: String, _ target: String, token: String? = nil, json: [UInt8]? = nil
    ) throws -> TestClient.Reply {
        let client = try connectInOrder()
        let body = json.map { "Content-Type: application/json\r\nContent-Length: \($0.count)\r\n" } ?? ""
        // What is refused by its head is answered before all of it was sent.
        try? client.send(Array((Self.head(method, target, token: token) + body + "\r\n").utf8) + (json ?? []))
        return try client.receive(toHead: method == "HEAD")
    }

    /// Carries out a part of an attack in so many threads; returns when all are done.
    func inThreads(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) throws {
        let failures = Failures()
        let done = DispatchSemaphore(value: 0)
        for index in 0..<count {
            Thread.detachNewThread {
                do { try work(index) } catch { failures.add("\(error)") }
                done.signal()
            }
        }
        for _ in 0..<count { done.wait() }
        if let first = failures.first { throw TestClient.Failure(message: first) }
    }

    /// The number of connections that the server has open, this one aside.
    func openConnections() throws -> Int {
        let text = try ask("GET", "/metrics", token: admin).text
        let line = text.split(separator: "\n").first { $0.hasPrefix("medley_connections ") }
        return try #require(line.flatMap { Int($0.split(separator: " ")[1]) }) - 1
    }

    /// The most memory that the server has had resident so far, in bytes.
    var peakMemory: Int {
        let path = "/proc/\(served.process.processIdentifier)/status"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace)[1]).flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }
}
