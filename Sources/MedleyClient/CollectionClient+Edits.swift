import JSONText
public import MedleyCore
public import MedleyJSON

/// Edits: each is carried out once, however often it has to be sent, under an `Idempotency-Key` of its own.
///
/// What an edit changed is in its answer; who follows the collection is told of it as of anybody's edit. A refusal throws
/// `refused` with the server's problem, whose pointer names what is wrong. Nothing is shown before the server has it.
extension CollectionClient {
    /// Applies changes, all or none, and returns what they changed.
    ///
    /// - Parameters:
    ///   - base: the revision that the client holds; the answer then leads from there to the new one, with what others
    ///     changed meanwhile.
    ///   - ifRevision: the revision that the collection must have; at another the edit is refused with 412 and a problem
    ///     whose `difference` says what is missing.
    ///   - key: the idempotency key, 1 to 255 visible ASCII characters, if the edit may be made again later; `nil` makes
    ///     one.
    @discardableResult
    public func edit(
        _ changes: [Change], base: Revision? = nil, ifRevision: Revision? = nil, key: String? = nil
    ) async throws(ClientError) -> ChangesAnswer {
        let body = PatchBody(base: base, ifRevision: ifRevision, changes: changes).encoded()
        return try answer(try await send("PATCH", body: body, key: key))
    }

    /// Creates the collection; `nil` if it exists already.
    @discardableResult
    public func create(
        _ content: SnapshotContent, key: String? = nil
    ) async throws(ClientError) -> ChangesAnswer? {
        let body = SnapshotEncoder.encoded(content)
        let response = try await send("PUT", body: body, headers: ["If-None-Match": "*"], key: key)
        if response.status == 412 { return nil }
        return try answer(response)
    }

    /// Makes the collection what the content says, by the fewest changes, or creates it.
    @discardableResult
    public func replace(
        with content: SnapshotContent, key: String? = nil
    ) async throws(ClientError) -> ChangesAnswer {
        try answer(try await send("PUT", body: SnapshotEncoder.encoded(content), key: key))
    }

    /// Deletes the whole collection; returns whether there was one.
    @discardableResult
    public func deleteCollection() async throws(ClientError) -> Bool {
        let url = try location.get()
        let outcome = try await endpoint.edit("DELETE", "\(url)", body: nil, headers: [:], key: nil)
        if outcome.response.status == 204 { return true }
        // A deleted collection keeps no keys: if the answer of an earlier try was lost, this one finds nothing.
        if ServerProblem(outcome.response)?.code == "collection-not-found" { return outcome.mayHaveRunBefore }
        throw Endpoint.error(for: outcome.response, from: "\(url)")
    }

    private func send(
        _ method: String, body: [UInt8], headers: [String: String] = [:], key: String?
    ) async throws(ClientError) -> ClientResponse {
        let url = try location.get()
        return try await endpoint.edit(method, "\(url)", body: body, headers: headers, key: key).response
    }

    private func answer(_ response: ClientResponse) throws(ClientError) -> ChangesAnswer {
        let url = try location.get()
        return try endpoint.decoded(response, from: "\(url)") { bytes throws(DecodingProblem) in
            try ChangeDecoder().changesAnswer(bytes)
        }
    }
}
