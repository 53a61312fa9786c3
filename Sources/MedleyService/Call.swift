import HTTPCore
import Journal
import MedleyCore

/// A request that was admitted, with the resource and the operation that it means.
struct Call: Sendable {
    let service: Service
    let request: Request
    let route: Route
    let operation: Operation
    /// The path's parameters, decoded, in order.
    let parameters: [String]
    let query: Query
    /// Who makes the request.
    let caller: Caller
    /// The form in which a resource that has several answers.
    let format: AnswerFormat

    /// The header fields.
    var headers: HeaderFields { request.head.headers }
    /// The collection that the path names; only for paths that name one.
    var collection: String { parameters[0] }

    /// The published snapshot of the path's collection.
    func snapshot() throws(Problem) -> Snapshot {
        guard let snapshot = service.library.snapshot(of: collection) else { throw Self.noCollection(collection) }
        return snapshot
    }

    /// The revision that the client says it holds, `nil` if it says nothing.
    func since() throws(Problem) -> Revision? {
        guard let text = try query.value("since") else { return nil }
        guard let since = Revision(text) else {
            throw ProblemCode.invalidRevision.problem("\"since\" is a revision such as k3f9a2b1-42.")
        }
        return since
    }

    static func noCollection(_ id: String) -> Problem {
        ProblemCode.collectionNotFound.problem("There is no collection \"\(id)\".")
    }

    static func noItem(_ id: ItemID) -> Problem {
        ProblemCode.itemNotFound.problem("No item has the id \"\(id)\".")
    }

    /// The most bytes of a collection's id.
    static let maximumIDByteCount = 128

    /// Whether a collection may have this id: `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
    static func isCollectionID(_ id: String) -> Bool {
        guard (1...maximumIDByteCount).contains(id.utf8.count) else { return false }
        for (index, byte) in id.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                if index == 0 { return false }
            default: return false
            }
        }
        return true
    }
}
