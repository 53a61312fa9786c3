import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON

/// One collection behind a client's transport, without a network: what an import needs of the service.
actor CollectionInMemory {
    /// What goes wrong next, once each.
    enum Fault: Sendable {
        /// The request does not arrive.
        case requestLost
        /// The request is carried out, and its answer does not arrive.
        case answerLost
        /// The server has no time.
        case busy
    }

    private(set) var snapshot: Snapshot?
    private(set) var edits = 0
    private(set) var bodySizes: [Int] = []
    private var faults: [Fault] = []
    private var answers: [String: ClientResponse] = [:]
    private let bodyLimit: Int
    /// A model with this text in it is refused.
    private let forbidden: String?

    private let limits: ContentLimits

    init(bodyLimit: Int = .max, sectionLimit: Int = .max, forbidden: String? = nil) {
        self.bodyLimit = bodyLimit
        limits = ContentLimits(changes: .max, names: .max, sectionByteCount: sectionLimit)
        self.forbidden = forbidden
    }

    /// A transport to this collection.
    nonisolated var transport: ClientTransport {
        ClientTransport { request throws(ClientError) in
            do {
                return try await self.answer(request)
            } catch let error as ClientError {
                throw error
            } catch {
                throw ClientError(.unreachable, "\(error)")
            }
        }
    }

    func fail(_ faults: [Fault]) { self.faults = faults }

    /// Applies changes as another client would.
    func apply(_ changes: [Change]) throws { snapshot = try snapshot?.applying(changes) }

    private func answer(_ request: ClientRequest) throws -> ClientResponse {
        guard request.method != "GET" else { return request.url.contains("/changes") ? whole() : outline() }
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        switch fault {
        case .requestLost: throw ClientError(.unreachable, "lost")
        case .busy: return problem(503, "overloaded", headers: ["retry-after": "1"])
        case .answerLost, nil: break
        }
        let key = request.headers["Idempotency-Key"] ?? ""
        let response = answers[key] ?? edit(request)
        answers[key] = response
        if fault == .answerLost { throw ClientError(.unreachable, "lost") }
        return response
    }

    private func edit(_ request: ClientRequest) -> ClientResponse {
        let body = request.body ?? []
        edits += 1
        bodySizes.append(body.count)
        if body.count > bodyLimit { return problem(413, "content-too-large") }
        do {
            if request.method == "PUT" {
                guard snapshot == nil else { return problem(412, "revision-stale") }
                let new = try Snapshot(lineage: "test", content: SnapshotDecoder().content(body))
                snapshot = new
                return ClientResponse(
                    status: 201, body: ChangesAnswer(from: nil, to: new.revision, isReset: true, changes: []).encoded())
            }
            guard let old = snapshot else { return problem(404, "collection-not-found") }
            let changes = try ChangeDecoder(limits: limits).patchBody(body).changes
            if let pointer = pointerToForbidden(changes) { return problem(422, "invalid-item", pointer: pointer) }
            let new = try old.applying(changes)
            snapshot = new
            guard case .changes(let difference)? = new.changes(since: old.revision.number) else {
                return problem(500, "internal")
            }
            return ClientResponse(
                status: 200, body: ChangesAnswer(from: old.revision, to: new.revision, changes: difference).encoded())
        } catch let error as DecodingProblem where error.code == .contentTooLarge {
            return problem(413, error.code.rawValue, pointer: error.pointer)
        } catch let error as ChangeError {
            return problem(422, error.code.rawValue, pointer: JSONPointer.text(of: [.member("changes")] + error.path))
        } catch {
            return problem(400, "\(error)")
        }
    }

    private func pointerToForbidden(_ changes: [Change]) -> String? {
        guard let forbidden else { return nil }
        for (index, change) in changes.enumerated() {
            guard case .upsert(let items, _) = change.operation else { continue }
            for (place, item) in items.enumerated()
            where String(decoding: item.model.bytes, as: UTF8.self).contains(forbidden) {
                return "/changes/\(index)/items/\(place)"
            }
        }
        return nil
    }

    private func whole() -> ClientResponse {
        guard let snapshot else { return problem(404, "collection-not-found") }
        return ClientResponse(
            status: 200,
            body: ChangesAnswer(
                from: nil, to: snapshot.revision, isReset: true, changes: snapshot.changesFromNothing()
            ).encoded())
    }

    private func outline() -> ClientResponse {
        guard let snapshot else { return problem(404, "collection-not-found") }
        var body = Array("{".utf8) + snapshot.members.bytes + Array(#","sections":["#.utf8)
        for (index, section) in snapshot.orderedSections.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            SectionEncoder.appendOpening(id: section.id, members: section.members, to: &body)
            body += Array(#","items":["#.utf8)
            for (place, item) in section.items().enumerated() {
                if place > 0 { body.append(UInt8(ascii: ",")) }
                ItemEncoder.append(id: item.id, type: item.type, to: &body)
            }
            body += Array("]}".utf8)
        }
        return ClientResponse(status: 200, body: body + Array("]}".utf8))
    }

    private func problem(
        _ status: Int, _ code: String, pointer: String? = nil, headers: [String: String] = [:]
    ) -> ClientResponse {
        var members = JSONMembers.empty
        for (name, value) in [("type", "/problems/\(code)"), ("detail", "no: \(code)"), ("pointer", pointer)] {
            guard let value else { continue }
            var text: [UInt8] = []
            JSONWriter.append(string: value, to: &text)
            members.append(name: name, value: text)
        }
        let body = [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")]
        return ClientResponse(status: status, headers: headers, body: body)
    }
}
