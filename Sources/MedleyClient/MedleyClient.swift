public import Foundation
import JSONText
import MedleyCore

/// A Medley server as a client sees it.
///
///     let client = MedleyClient(url: url)
///     for try await snapshot in client.collection("mix") { show(snapshot) }
///
/// A value that is cheap to copy and may be used by any task; its copies share connections.
public struct MedleyClient: Sendable {
    /// Where the server is: `https://media.example`, perhaps with a path that a proxy adds.
    public let url: URL
    private let endpoint: Endpoint

    /// Creates a client; nothing is sent yet. A URL that no server can have makes every request throw `invalidURL`.
    ///
    /// The token goes along with every request, to this server and to no other: where it answers that another address is
    /// to be asked, that throws `redirected`. Over `http://` everyone on the way can read it.
    public init(
        url: URL, token: AccessToken? = nil, transport: ClientTransport = .network(),
        retries: RetryPolicy = RetryPolicy()
    ) {
        self.url = url
        endpoint = Endpoint(transport: transport, retries: retries, token: token)
    }

    /// The collection with an id, whether or not it exists; nothing is sent yet. An id that none can have makes every
    /// request throw `invalidURL`.
    public func collection(_ id: String) -> CollectionClient {
        do throws(ClientError) {
            return CollectionClient(id: id, location: .success(try CollectionURL(of: id, at: url)), endpoint)
        } catch {
            return CollectionClient(id: id, location: .failure(error), endpoint)
        }
    }

    /// Every collection that the server has.
    public func collections() async throws(ClientError) -> [CollectionSummary] {
        let list = try CollectionURL.collections(at: url)
        let response = try await endpoint.read(list)
        guard response.status == 200 else { throw Endpoint.error(for: response, from: list) }
        guard let summaries = CollectionSummary.list(in: response.body) else {
            throw ClientError(.notMedley, "\(list) is no list of a Medley server's collections")
        }
        return summaries
    }
}
