import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as a transport sends it.
public struct ClientRequest: Hashable, Sendable {
    /// The method: `GET`, `PATCH`, …
    public var method: String
    /// The whole URL.
    public var url: String
    /// The header fields.
    public var headers: [String: String]
    /// The body, if there is one.
    public var body: [UInt8]?

    /// Creates a request.
    public init(method: String, url: String, headers: [String: String] = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer as a transport hands it back.
public struct ClientResponse: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Carries requests to a server; tests put another in the place of the network.
public struct ClientTransport: Sendable {
    /// Sends a request and waits for the answer, whatever its status; throws `unreachable` if there is none.
    public let send: @Sendable (ClientRequest) async throws(ClientError) -> ClientResponse

    /// Creates a transport.
    public init(send: @escaping @Sendable (ClientRequest) async throws(ClientError) -> ClientResponse) {
        self.send = send
    }

    /// The network, by way of Foundation's URL loading; nothing is cached, no cookie kept.
    public static func network() -> ClientTransport {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 120
        let session = URLSession(configuration: configuration)
        return ClientTransport { request throws(ClientError) in
            guard let url = URL(string: request.url) else {
                throw ClientError(.invalidURL, "\(request.url) is not a URL")
            }
            var message = URLRequest(url: url)
            message.httpMethod = request.method
            for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
            message.httpBody = request.body.map { Data($0) }
            let (data, response): (Data, URLResponse)
            do {
                (data, response) = try await session.data(for: message)
            } catch {
                let origin = "\(url.host ?? ""):\(url.port ?? (url.scheme == "https" ? 443 : 80))"
                throw ClientError(.unreachable, "no server answers at \(origin)", cause: error.localizedDescription)
            }
            guard let response = response as? HTTPURLResponse else {
                throw ClientError(.notMedley, "\(request.url) gives no HTTP answer")
            }
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
            return ClientResponse(status: response.statusCode, headers: headers, body: [UInt8](data))
        }
    }
}
