import Foundation
import MedleyClient
import MedleyCore
import Testing

/// What the client's network does with answers that lead elsewhere or ask for credentials.
@Suite struct RedirectionTests {
    private func client(_ server: CannedServer) throws -> CollectionClient {
        let token: AccessToken = try #require(AccessToken("secret"))
        return CollectionClient(
            url: try CollectionURL("http://127.0.0.1:\(server.port)/v1/collections/mix"), token: token)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aTokenDoesNotGoWhereAServerPoints(status: Int) async throws {
        let other = try CannedServer(["HTTP/1.1 404 Not Found"])
        let server = try CannedServer([
            "HTTP/1.1 \(status) Elsewhere", "Location: http://127.0.0.1:\(other.port)/v1/collections/mix",
        ])
        let client = try client(server)
        let read = await #expect(throws: ClientError.self) { try await client.snapshot() }
        #expect(read?.code == .redirected, "\(String(describing: read))")
        let edit = await #expect(throws: ClientError.self) { try await client.like(["v1"]) }
        #expect(edit?.code == .redirected, "\(String(describing: edit))")
        var events = client.events().makeAsyncIterator()
        let following = await #expect(throws: ClientError.self) { _ = try await events.next() }
        #expect(following?.code == .redirected)
        #expect(
            server.requests.count == 3 && server.requests.allSatisfy { $0.contains("Authorization: Bearer secret") })
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Bearer realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Negotiate"])
    func whateverAChallengeAsksForTheClientIsToldAndGoesOn(challenge: String) async throws {
        let server = try CannedServer(["HTTP/1.1 401 Unauthorized", "WWW-Authenticate: \(challenge)"])
        let error = await #expect(throws: ClientError.self) { try await client(server).snapshot() }
        #expect(error?.code == .unauthenticated, "\(String(describing: error))")
    }
}
