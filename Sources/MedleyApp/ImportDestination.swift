import MedleyClient
import MedleyCore
import MedleyFormats
import MedleyJSON

/// Where an import's batches go: a collection of a server, or a copy of one that is thrown away.
protocol ImportDestination {
    /// The collection's id, which titles it if nothing else does.
    var name: String { get }

    /// What is there.
    mutating func target() async throws(ClientError) -> ImportTarget

    /// Makes the collection, unless somebody has made it meanwhile; returns its revision if it did.
    mutating func create(_ content: SnapshotContent) async throws(ClientError) -> Revision?

    /// Applies changes, all or none, and returns what they changed.
    mutating func edit(_ changes: [Change]) async throws(ClientError) -> ChangesAnswer
}

/// A collection of a server.
struct ServerDestination: ImportDestination {
    let client: CollectionClient

    var name: String { client.id }

    func target() async throws(ClientError) -> ImportTarget {
        try await client.outline().map { ImportTarget(outline: $0) } ?? .absent
    }

    func create(_ content: SnapshotContent) async throws(ClientError) -> Revision? {
        try await client.create(content)?.to
    }

    func edit(_ changes: [Change]) async throws(ClientError) -> ChangesAnswer { try await client.edit(changes) }
}

/// A copy of a server's collection, in which an import is tried without sending anything.
struct TrialDestination: ImportDestination {
    let client: CollectionClient
    /// What was there; `nil` for no collection.
    private(set) var before: Snapshot?
    /// What would be there.
    private(set) var after: Snapshot?

    init(client: CollectionClient) { self.client = client }

    var name: String { client.id }

    mutating func target() async throws(ClientError) -> ImportTarget {
        before = try await client.snapshot()
        after = before
        return before.map { ImportTarget($0) } ?? .absent
    }

    mutating func create(_ content: SnapshotContent) async throws(ClientError) -> Revision? {
        do throws(ChangeError) {
            after = try Snapshot(lineage: "trial", content: content)
        } catch { throw Self.failure(error) }
        return after?.revision
    }

    mutating func edit(_ changes: [Change]) async throws(ClientError) -> ChangesAnswer {
        guard let known = after else { throw ClientError(.inconsistent, "there is no collection to edit") }
        do throws(ChangeError) {
            let next = try known.applying(changes)
            after = next
            guard case .changes(let difference)? = next.changes(since: known.revision.number) else {
                throw ChangeError(.tooLarge, at: [])
            }
            return ChangesAnswer(from: known.revision, to: next.revision, changes: difference)
        } catch { throw Self.failure(error) }
    }

    /// The net changes of all that was tried.
    var changes: [Change] {
        guard let after else { return [] }
        guard let before else { return after.changesFromNothing() }
        guard case .changes(let changes)? = after.changes(since: before.revision.number) else { return [] }
        return changes
    }

    private static func failure(_ error: ChangeError) -> ClientError {
        ClientError(.inconsistent, "the import would be refused", cause: "\(error.code.rawValue) \(error.subject)")
    }
}
