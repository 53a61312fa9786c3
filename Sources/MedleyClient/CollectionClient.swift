public import MedleyCore
public import MedleyJSON

/// One collection of a server: reads it, follows it and edits it.
///
/// As a sequence it gives snapshots, first the whole collection and then one after each change that the server tells of;
/// `updates()` gives the changes beside them, `events()` tells of the connection too.
public struct CollectionClient: Sendable {
    /// The collection's id.
    public let id: String
    let location: Result<CollectionURL, ClientError>
    let endpoint: Endpoint

    init(id: String, location: Result<CollectionURL, ClientError>, _ endpoint: Endpoint) {
        self.id = id
        self.location = location
        self.endpoint = endpoint
    }

    /// Creates a client for the collection at a URL; nothing is sent yet. The token is as for `MedleyClient`.
    public init(
        url: CollectionURL, token: AccessToken? = nil, transport: ClientTransport = .network(),
        retries: RetryPolicy = RetryPolicy()
    ) {
        self.init(
            id: url.collectionID, location: .success(url),
            Endpoint(transport: transport, retries: retries, token: token))
    }

    /// The whole collection as it is now; `nil` if there is none of this id.
    ///
    /// Throws `unreachable` at once if no server answers, as all reading does: a reader can ask again.
    public func snapshot() async throws(ClientError) -> Snapshot? {
        guard let answer = try await changes(since: nil) else { return nil }
        var replica = Replica()
        do throws(ChangeError) {
            try replica.apply(answer.changes ?? [], isReset: true, to: answer.to)
        } catch {
            throw ClientError(.inconsistent, "the server's snapshot of \(id) contradicts itself", cause: "\(error)")
        }
        return replica.snapshot
    }

    /// What changed since a revision, everything if it is `nil`; `nil` if there is no such collection.
    ///
    /// The answer is a reset if the server cannot tell the changes since then.
    public func changes(since revision: Revision?) async throws(ClientError) -> ChangesAnswer? {
        let url = try location.get()
        let since = revision.map { "&since=\($0)" } ?? ""
        return try await read("\(url)/changes?reset=inline\(since)") { bytes throws(DecodingProblem) in
            try ChangeDecoder().changesAnswer(bytes)
        }
    }

    /// The collection's members, sections and each item's id and type, without models; `nil` if there is no such
    /// collection.
    public func outline() async throws(ClientError) -> SnapshotContent? {
        let url = try location.get()
        return try await read("\(url)?models=none") { bytes throws(DecodingProblem) in
            try SnapshotDecoder().content(bytes)
        }
    }

    /// The items of these ids, no id twice, with those that do not exist apart; `nil` if there is no such collection.
    ///
    /// For a client that holds an outline and fetches models as its cells appear. The URL carries the ids: some hundred
    /// at a time.
    public func items(_ ids: [ItemID]) async throws(ClientError) -> ItemsAnswer? {
        let url = try location.get()
        let list = ids.map { Self.percentEncoded($0.utf8) }.joined(separator: ",")
        return try await read("\(url)/items?ids=\(list)") { bytes throws(DecodingProblem) in
            try ItemsAnswer(decoding: bytes)
        }
    }

    private func read<Value>(
        _ url: String, _ decode: ([UInt8]) throws(DecodingProblem) -> Value
    ) async throws(ClientError) -> Value? {
        let response = try await endpoint.read(url)
        if ServerProblem(response)?.code == "collection-not-found" { return nil }
        return try endpoint.decoded(response, from: "\(try location.get())", decode)
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
