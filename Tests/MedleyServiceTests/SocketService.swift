import EventLoop
import HTTPCore
import HTTPServer
import MedleyService

/// A service behind a server that listens on loopback.
struct SocketService {
    let fixture: ServiceFixture
    let server: HTTPServer

    /// Serves a fixture, by default one with the collection `mix`.
    init(_ fixture: ServiceFixture? = nil, configure: (inout ServerConfiguration) -> Void = { _ in }) async throws {
        if let fixture { self.fixture = fixture } else { self.fixture = await .withMix() }
        var configuration = ServerConfiguration(
            addresses: [try SocketAddress(host: "127.0.0.1", port: 0)], loops: 2)
        configure(&configuration)
        server = try HTTPServer(configuration: configuration, handler: self.fixture.service)
    }

    func connect() throws -> TestClient { try TestClient(port: server.addresses[0].port) }

    /// A request's bytes. A body without a type among the header fields is JSON.
    func text(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: String? = nil
    ) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers.map { "\($0.0): \($0.1)" }
        if let json {
            if !headers.contains(where: { $0.0 == "Content-Type" }) {
                lines.append("Content-Type: application/json")
            }
            lines.append("Content-Length: \(json.utf8.count)")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? "")
    }

    /// Sends a request over a connection of its own, or over one that is open, and receives the response.
    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], json: String? = nil,
        over open: TestClient? = nil
    ) throws -> Received {
        let client = try open ?? connect()
        try client.send(text(method, target, headers, json: json))
        return Received(try client.receive(toHead: method == "HEAD"))
    }
}

extension Received {
    init(_ reply: TestClient.Reply) {
        var headers = HeaderFields()
        for field in reply.fields { headers.add(field.name, field.value) }
        self.init(Response(status: reply.status, headers: headers, body: .bytes(reply.body)))
    }

    /// What a problem of this status must carry besides its code, and does not.
    ///
    /// - Parameter current: the revision of the collection that the request was for; `nil` if it was for none.
    func missingOfProblem(method: String, current: String?) -> [String] {
        var missing: [String] = []
        func require(_ holds: Bool, _ what: String) { if !holds { missing.append(what) } }
        require(headers["Content-Type"] == "application/problem+json", "Content-Type")
        require(headers["ETag"] == nil, "no ETag")
        switch status {
        case 401: require(headers["WWW-Authenticate"]?.hasPrefix("Bearer realm=") == true, "WWW-Authenticate")
        case 405: require(headers["Allow"]?.contains("OPTIONS") == true, "Allow")
        case 410:
            require(headers["Cache-Control"] == "no-store", "no-store")
            require(current != nil && object["current"] as? String == current, "current")
        case 412: require(object["current"] as? String == current, "current")
        case 413, 414, 431: require((object["limit"] as? Int ?? 0) > 0, "limit")
        case 415:
            require((object["detail"] as? String)?.isEmpty == false, "detail")
            require(method != "PATCH" || headers["Accept-Patch"] != nil, "Accept-Patch")
        case 503: require(headers["Retry-After"].flatMap { Int($0) } ?? 0 > 0, "Retry-After")
        default: break
        }
        return missing
    }
}
