import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ClientTransport {
    /// The network, by way of Foundation's URL loading; nothing is cached, no cookie kept, no redirection followed.
    public static func network() -> ClientTransport {
        let network = Network()
        return ClientTransport { request throws(ClientError) in try await network.send(request) }
    }

    /// Two sessions. Following has its own connections, many to a host: in one session with everything else a few held
    /// requests would use up what a host may have, and edits would wait for them.
    ///
    /// A follower's first request, which is answered at once, goes the same way as those that are held: while the first
    /// answer on a new connection is waited for, FoundationNetworking asks all the time whether it can be written to,
    /// which takes most of a core.
    private final class Network: Sendable {
        private let brief = LoadingSession(connections: 6)
        private let holding = LoadingSession(connections: 256)

        deinit {
            // Elsewhere, since it waits for a queue on which this may run.
            DispatchQueue.global().async { [brief, holding] in
                brief.end()
                holding.end()
            }
        }

        /// What a server may take for an answer that it does not hold, in seconds.
        private static let patience = 60.0

        func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
            guard let url = URL(string: request.url) else {
                throw ClientError(.invalidURL, "\(request.url) is not a URL")
            }
            var message = URLRequest(url: url)
            message.httpMethod = request.method
            message.timeoutInterval = (request.hold ?? 0) + Self.patience
            for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
            message.httpBody = request.body.map { Data($0) }
            let (data, response): (Data, URLResponse)
            do {
                (data, response) = try await LoadingTask(message, in: request.hold == nil ? brief : holding).result()
            } catch {
                if Task.isCancelled { throw ClientError(.cancelled, "the request was cancelled") }
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
