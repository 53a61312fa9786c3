import HTTPCore
import JSONText
import Journal
import MedleyCore
import MedleyJSON

/// Under which terms an edit is made, and what its answer tells: preconditions, `base`, `Prefer`.
struct EditTerms: Sendable {
    private let ifMatch: EntityTagList?
    private let ifNoneMatch: EntityTagList?
    private let isMinimal: Bool
    /// The most bytes of an answer that tells changes; in proportion to the request, so that no small one brings about a
    /// large one.
    private let answerBytes: Int
    private let limits: ServiceLimits
    /// The revision that the client holds.
    var base: Revision?
    /// A precondition that stands in the body.
    var ifRevision: Revision?

    /// Reads the header fields of a request.
    init(_ call: Call) throws(Problem) {
        let headers = call.headers
        limits = call.service.configuration.limits
        answerBytes = max(limits.editAnswerBytes, call.request.body.count * 4)
        ifMatch = try Self.tags("If-Match", headers)
        ifNoneMatch = try Self.tags("If-None-Match", headers)
        isMinimal = Preference(headers.values("Prefer")).returnsMinimal
    }

    /// A precondition that cannot be read must not be taken for none.
    private static func tags(_ name: String, _ headers: HeaderFields) throws(Problem) -> EntityTagList? {
        let values = headers.values(name)
        guard !values.isEmpty else { return nil }
        guard let tags = EntityTagList(values) else {
            throw ProblemCode.malformedRequest.problem(
                "\(name) is * or a list of entity tags in quotes, such as \"k3f9a2b1-42\".")
        }
        return tags
    }

    // MARK: Before

    /// Checks the preconditions and `base`: 412 and 410.
    func check(against snapshot: Snapshot?) throws(Problem) {
        if let ifRevision, ifRevision != snapshot?.revision { throw stale(snapshot, since: ifRevision) }
        if let ifMatch {
            let matches = snapshot.map { snapshot in
                ifMatch.isAny
                    || ifMatch.tags.contains { !$0.isWeak && $0.revisionText == snapshot.revision.description }
            }
            if matches != true {
                let since = ifMatch.tags.lazy.compactMap { Revision($0.revisionText) }.first
                throw stale(snapshot, since: since)
            }
        }
        if let ifNoneMatch, let snapshot, ifNoneMatch.names(snapshot.revision) {
            let detail = ifNoneMatch.isAny ? "The collection exists already." : "The collection is at that revision."
            throw ProblemCode.revisionStale.problem(detail).with("current", snapshot.revision.description)
        }
        if let base, let snapshot, let code = EncodedDifference.refusal(of: base, by: snapshot) {
            throw EncodedDifference.problem(code, since: base, current: snapshot.revision)
        }
    }

    /// The problem of a precondition that does not hold, with what the client needs to catch up.
    private func stale(_ snapshot: Snapshot?, since: Revision?) -> Problem {
        guard let snapshot else { return ProblemCode.revisionStale.problem("There is no such collection.") }
        let current = snapshot.revision
        let problem = ProblemCode.revisionStale.problem("The collection is at \(current).")
            .with("current", current.description)
        if isMinimal { return problem }
        if let since, case .changes(let list) = EncodedDifference(since: since, of: snapshot, atMost: answerBytes) {
            return problem.with("from", since.description).with("to", current.description)
                .with("changes", json: String(decoding: list, as: UTF8.self))
        }
        if snapshot.approximateByteCount > answerBytes { return problem }
        // The members of a reset are the document's own.
        var problemWithReset = problem
        for member in JSONMembers(trusted: Array(ResetDocument.make(snapshot).bytes.dropFirst().dropLast())) {
            problemWithReset = problemWithReset.with(
                member.name.string, json: String(decoding: member.value, as: UTF8.self))
        }
        return problemWithReset
    }

    // MARK: After

    /// The decision for an edit that led from one snapshot to another, which may be the same.
    ///
    /// - Parameters:
    ///   - changes: what leads from one to the other, where the caller knows it; `nil` has it found out.
    ///   - more: members that the answer has behind its own.
    func decision(
        from previous: Snapshot, to next: Snapshot, by changes: [Change]? = nil, isPut: Bool = false,
        adding more: JSONMembers = .empty
    ) throws(Problem) -> Decision {
        try requireRoom(for: next, after: previous)
        let from = base ?? previous.revision
        var answer = Answer(status: 200, headers: headers(of: next))
        // A PUT is not stored as it came, so its answer carries no validator (RFC 9110, 9.3.4).
        if !isPut { answer.headers.append(Answer.Header("ETag", "\"\(next.revision)\"")) }
        answer.body =
            isMinimal
            ? ChangesAnswer(from: from, to: next.revision, changes: nil).encoded() : body(from, next, changes)
        answer.body.append(members: more)
        return next.revision == previous.revision ? .keep(answer) : .publish(next, answer)
    }

    /// The decision that makes a collection. What is made of a request may be much longer than it, as a table's rows are
    /// that repeat the names of its columns; then the answer tells no more than the revision.
    func creation(
        of snapshot: Snapshot, as collection: String, adding more: JSONMembers = .empty
    ) throws(Problem) -> Decision {
        try requireRoom(for: snapshot, after: nil)
        var answer = Answer(status: 201, headers: headers(of: snapshot))
        answer.headers.append(Answer.Header("Location", "/v1/collections/\(collection)"))
        answer.body =
            isMinimal || snapshot.approximateByteCount > answerBytes
            ? ChangesAnswer(from: nil, to: snapshot.revision, isReset: true, changes: nil).encoded()
            : ResetDocument.make(snapshot).bytes
        answer.body.append(members: more)
        return .publish(snapshot, answer)
    }

    /// The decision for an edit that is only tried: what it would change, and nothing is.
    func trial(
        _ changes: [Change], from previous: Snapshot?, to next: Snapshot, adding more: JSONMembers
    ) throws(Problem) -> Decision {
        try requireRoom(for: next, after: previous)
        var body: [UInt8] = []
        JSONWriter.append(token: "{\"dryRun\":true,\"from\":", to: &body)
        var revision = Array("null".utf8)
        if let previous {
            revision = []
            JSONWriter.append(string: previous.revision.description, to: &revision)
        }
        body += revision
        JSONWriter.append(token: ",\"to\":", to: &body)
        body += revision
        if !isMinimal, let list = ChangeEncoder.encoded(changes, atMost: answerBytes) {
            JSONWriter.append(token: ",\"changes\":", to: &body)
            body += list
        }
        body.append(UInt8(ascii: "}"))
        body.append(members: more)
        var headers = [Answer.Header("Content-Type", RoutingTable.json)]
        if isMinimal { headers.append(Answer.Header("Preference-Applied", "return=minimal")) }
        return .keep(Answer(status: 200, headers: headers, body: body))
    }

    /// Refuses a collection that would have more than it may. One that has more already may be edited as long as that
    /// makes it no larger.
    private func requireRoom(for next: Snapshot, after previous: Snapshot?) throws(Problem) {
        func require(_ before: Int?, _ count: Int, _ limit: Int, _ what: String) throws(Problem) {
            guard count > limit, count > before ?? 0 else { return }
            throw ProblemCode.limitReached.problem(
                "The collection would have \(count) \(what); it may have \(limit)."
            ).with("limit", limit)
        }
        try require(previous?.itemCount, next.itemCount, limits.collectionItems, "items")
        try require(previous?.sectionCount, next.sectionCount, limits.sections, "sections")
        try require(
            previous?.approximateByteCount, next.approximateByteCount, limits.collectionBytes, "bytes as JSON")
    }

    private func headers(of snapshot: Snapshot) -> [Answer.Header] {
        var headers = [
            Answer.Header("Content-Type", RoutingTable.json),
            Answer.Header("Revision", snapshot.revision.description),
        ]
        if isMinimal { headers.append(Answer.Header("Preference-Applied", "return=minimal")) }
        return headers
    }

    private func body(_ from: Revision, _ next: Snapshot, _ changes: [Change]?) -> [UInt8] {
        let minimal = { ChangesAnswer(from: from, to: next.revision, changes: nil).encoded() }
        if base != nil {
            if case .changes(let list) = EncodedDifference(since: from, of: next, atMost: answerBytes) {
                return EncodedDifference.answer(from: from, to: next.revision, list)
            }
            return next.approximateByteCount > answerBytes ? minimal() : ResetDocument.make(next).bytes
        }
        let difference =
            changes.map { Difference.changes($0) } ?? next.changes(since: from.number, byteLimit: answerBytes)
        switch difference {
        case .changes(let changes):
            guard let list = ChangeEncoder.encoded(changes, atMost: answerBytes) else { return minimal() }
            return EncodedDifference.answer(from: from, to: next.revision, list)
        case nil: return minimal()
        case .forgotten, .unknown:
            return next.approximateByteCount > answerBytes ? minimal() : ResetDocument.make(next).bytes
        }
    }
}

extension Decision {
    /// What `decide` decides; a problem leaves everything as it is.
    static func deciding(_ decide: () throws(Problem) -> Decision) -> Decision {
        do throws(Problem) { return try decide() } catch { return .keep(Answer(error)) }
    }
}

extension Answer {
    /// A problem as an answer.
    init(_ problem: Problem) {
        let headers = problem.headers.fields.map { Header($0.name, $0.value) }
        self.init(
            status: problem.status, headers: [Header("Content-Type", "application/problem+json")] + headers,
            body: problem.json)
    }
}

extension [UInt8] {
    /// Appends members to an object that ends with these bytes and has some already.
    fileprivate mutating func append(members: JSONMembers) {
        guard !members.isEmpty, last == UInt8(ascii: "}") else { return }
        removeLast()
        append(UInt8(ascii: ","))
        append(contentsOf: members.bytes)
        append(UInt8(ascii: "}"))
    }
}
