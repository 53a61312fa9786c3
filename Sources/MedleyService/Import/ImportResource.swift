import HTTPCore
import JSONText
import Journal
import MedleyCore
import MedleyFormats

/// `POST /v1/collections/{collection}/import`: a playlist, feed or table becomes items, as one edit.
enum ImportResource {
    static func post(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        let terms = try EditTerms(call)
        let request = try ImportRequest(call)
        let document = try ImportDocument(call.request.body, request, in: call.service)
        let collection = call.collection
        let lineage = call.service.configuration.makeLineage()
        let mayCreate = call.caller.may(.admin, collection)
        return { previous in
            Decision.deciding { () throws(Problem) in
                // Only here it is sure whether it exists.
                guard previous != nil || mayCreate else { throw Service.forbidden(.admin) }
                try terms.check(against: previous)
                return try decision(document, request, terms, of: previous, collection, lineage)
            }
        }
    }

    private static func decision(
        _ document: ImportDocument, _ request: ImportRequest, _ terms: EditTerms, of previous: Snapshot?,
        _ collection: String, _ lineage: String
    ) throws(Problem) -> Decision {
        var plan = ImportPlan(into: previous.map { ImportTarget($0) } ?? .absent, request.plan)
        var summary = document.summary
        for step in document.steps {
            do throws(ImportRefusal) { try plan.take(step) } catch { summary.refuse(error) }
        }
        let entryCount = plan.batch.entries.count
        if previous == nil, plan.batch.isEmpty, let first = summary.refusals.first {
            // Nobody wants an empty collection of that.
            let problem = ProblemCode.invalidDocument.problem(
                "No entry can be read; line \(first.line): \(first.reason).")
            return .keep(Answer(problem.with("line", first.line)))
        }
        let next: Snapshot
        // Found once, for the counts and for the answer. Of models it has only references.
        let changes: [Change]?
        do throws(ChangeError) {
            if let previous {
                let wanted = plan.takeBatch().changes().changes + plan.closing(isWhole: document.isComplete)
                next = try previous.applying(wanted)
                changes = difference(from: previous, to: next)
            } else {
                next = try Snapshot(lineage: lineage, content: plan.content(named: collection))
                changes = next.changesFromNothing()
            }
        } catch {
            // What is left to refuse is a limit; the place in changes that the client never saw tells it nothing.
            throw Problem(error, path: [])
        }
        summary.unchanged = entryCount - summary.count(changes ?? [])
        var kept: String?
        if request.plan.prunes, !document.isComplete { kept = "not all of the document could be read" }
        if document.isComplete, plan.sparesAll { kept = "the document has no record" }
        let more = members(summary, reasonForKeeping: kept)
        if request.isDryRun { return try terms.trial(changes ?? [], from: previous, to: next, adding: more) }
        guard let previous else { return try terms.creation(of: next, as: collection, adding: more) }
        return try terms.decision(from: previous, to: next, by: changes, adding: more)
    }

    private static func difference(from previous: Snapshot, to next: Snapshot) -> [Change]? {
        guard case .changes(let changes)? = next.changes(since: previous.revision.number) else { return nil }
        return changes
    }

    /// `"counts":{…},"refused":[{"line":…,"reason":…},…],"notices":[…]`
    private static func members(_ summary: ImportSummary, reasonForKeeping kept: String?) -> JSONMembers {
        var text: [UInt8] = []
        JSONWriter.append(token: "\"counts\":{", to: &text)
        let counts: [(StaticString, Int)] = [
            ("\"read\":", summary.read), (",\"inserted\":", summary.inserted), (",\"updated\":", summary.updated),
            (",\"unchanged\":", summary.unchanged), (",\"moved\":", summary.moved), (",\"deleted\":", summary.deleted),
            (",\"refused\":", summary.refused),
        ]
        for (name, count) in counts {
            JSONWriter.append(token: name, to: &text)
            JSONWriter.append(integer: count, to: &text)
        }
        JSONWriter.append(token: "},\"refused\":[", to: &text)
        for (index, refusal) in summary.refusals.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(token: "{\"line\":", to: &text)
            JSONWriter.append(integer: refusal.line, to: &text)
            JSONWriter.append(token: ",\"reason\":", to: &text)
            JSONWriter.append(string: refusal.reason, to: &text)
            text.append(UInt8(ascii: "}"))
        }
        JSONWriter.append(token: "],\"notices\":[", to: &text)
        var notices = summary.notices.prefix(ImportDocument.listed)
        if let kept { notices.append(("nothing was deleted, since \(kept)", 1, 1)) }
        for (index, notice) in notices.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            JSONWriter.append(token: "{\"line\":", to: &text)
            JSONWriter.append(integer: notice.line, to: &text)
            JSONWriter.append(token: ",\"count\":", to: &text)
            JSONWriter.append(integer: notice.count, to: &text)
            JSONWriter.append(token: ",\"message\":", to: &text)
            JSONWriter.append(string: notice.message, to: &text)
            text.append(UInt8(ascii: "}"))
        }
        text.append(UInt8(ascii: "]"))
        return JSONMembers(trusted: text)
    }
}
