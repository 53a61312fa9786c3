import Foundation
public import JSONText
public import MedleyCore
public import MedleyJSON

/// Reads and edits one collection of a server.
///
/// Edits carry an `Idempotency-Key`, so that one whose answer was lost is made again without being made twice.
public struct CollectionClient: Sendable {
    /// Where the collection lives.
    public let url: CollectionURL
    private let transport: ClientTransport
    private let retries: RetryPolicy

    /// Creates a client; nothing is sent yet.
    public init(
        url: CollectionURL, transport: ClientTransport = .network(), retries: RetryPolicy = RetryPolicy()
    ) {
        self.url = url
        self.transport = transport
        self.retries = retries
    }

    /// The collection's members, sections and each item's id and type, without models; `nil` if there is no such
    /// collection.
    ///
    /// Throws `unreachable` at once if no server answers: a reader can ask again.
    public func outline() async throws(ClientError) -> SnapshotContent? {
        let response = try await transport.send(
            ClientRequest(method: "GET", url: "\(url)?models=none", headers: ["Accept": "application/json"]))
        guard response.status == 200 else {
            let error = error(for: response)
            if error.problem?.code == "collection-not-found" { return nil }
            throw error
        }
        return try decoded(response) { bytes throws(DecodingProblem) in try SnapshotDecoder().content(bytes) }
    }

    /// Creates the collection with members of its own, its title among them; `nil` if it exists already.
    public func create(_ members: JSONMembers) async throws(ClientError) -> ChangesAnswer? {
        let body = [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")]
        let response = try await edit("PUT", body: body, headers: ["If-None-Match": "*"])
        if response.status == 412 { return nil }
        return try answer(response)
    }

    /// Applies changes, all or none, and returns what they changed.
    ///
    /// Throws `refused` with the problem's pointer if one of them cannot be applied.
    public func patch(_ changes: [Change]) async throws(ClientError) -> ChangesAnswer {
        try answer(try await edit("PATCH", body: PatchBody(changes: changes).encoded()))
    }

    /// Sends an edit, again if it was lost on the way or the server is busy, under one key.
    private func edit(
        _ method: String, body: [UInt8], headers: [String: String] = [:]
    ) async throws(ClientError) -> ClientResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        headers["Idempotency-Key"] = UUID().uuidString
        let request = ClientRequest(method: method, url: url.description, headers: headers, body: body)
        for planned in retries.pauses {
            var pause = planned
            do throws(ClientError) {
                let response = try await transport.send(request)
                let isBusy = [429, 503].contains(response.status) || ServerProblem(response)?.code == "key-in-use"
                guard isBusy else { return response }
                if let asked = response.headers["retry-after"].flatMap({ Double($0) }) {
                    pause = min(max(asked, planned), retries.longest)
                }
            } catch {
                guard error.code == .unreachable else { throw error }
            }
            await retries.sleep(pause)
        }
        return try await transport.send(request)
    }

    private func answer(_ response: ClientResponse) throws(ClientError) -> ChangesAnswer {
        guard response.status == 200 || response.status == 201 else { throw error(for: response) }
        return try decoded(response) { bytes throws(DecodingProblem) in try ChangeDecoder().changesAnswer(bytes) }
    }

    private func decoded<Value>(
        _ response: ClientResponse, _ decode: ([UInt8]) throws(DecodingProblem) -> Value
    ) throws(ClientError) -> Value {
        do throws(DecodingProblem) {
            return try decode(response.body)
        } catch {
            throw ClientError(.notMedley, "\(url) is no collection of a Medley server", cause: error.detail)
        }
    }

    private func error(for response: ClientResponse) -> ClientError {
        guard let problem = ServerProblem(response) else {
            return ClientError(
                .notMedley, "\(url) is no collection of a Medley server", cause: "HTTP status \(response.status)")
        }
        return ClientError(.refused, problem.summary, problem: problem)
    }
}
