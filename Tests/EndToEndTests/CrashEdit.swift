import MedleyCore

/// An edit as a client sends it, and again if the answer was lost.
struct CrashEdit: Sendable {
    let collection: String
    let method: String
    /// The path below the collection, with its slash.
    var path = ""
    let key: String
    let body: [UInt8]?

    func send(over connection: ServerConnection) throws -> CrashAnswer {
        let target = "/v1/collections/\(collection)\(path)"
        return CrashAnswer(try connection.send(method, target, [("Idempotency-Key", key)], json: body))
    }
}

extension CrashEdit: CustomStringConvertible {
    var description: String {
        "\(method) \(collection)\(path) \(key) \(String(decoding: (body ?? []).prefix(300), as: UTF8.self))"
    }
}

/// What a client keeps of the answer to an edit.
struct CrashAnswer: Sendable {
    let status: Int
    let body: [UInt8]
    let isReplayed: Bool
    private let fields: [String?]

    init(_ reply: TestClient.Reply) {
        status = reply.status
        body = reply.body
        isReplayed = reply["Idempotency-Replayed"] == "true"
        fields = ["Content-Type", "Revision", "ETag", "Location"].map { reply[$0] }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether this is what a repetition of a request with that answer must get.
    func isReplay(of first: CrashAnswer) -> Bool {
        isReplayed && status == first.status && body == first.body && fields == first.fields
    }
}

extension CrashAnswer: CustomStringConvertible {
    var description: String {
        "\(status)\(isReplayed ? " replayed" : "") \(fields.compactMap(\.self)) "
            + String(decoding: body.prefix(300), as: UTF8.self)
    }
}
