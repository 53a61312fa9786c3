import HTTPCore
import Journal
import MedleyCore
import MedleyJSON

/// PUT, PATCH and DELETE of `/v1/collections/{collection}`.
enum CollectionEdits {
    static func put(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        let terms = try EditTerms(call)
        let content: SnapshotContent
        do throws(DecodingProblem) {
            content = try call.service.snapshotDecoder.content(call.request.body)
        } catch { throw Problem(error) }
        if let id = content.id, !id.utf8.elementsEqual(call.collection.utf8) {
            throw ProblemCode.invalidID.problem(
                "The id in the body is \"\(id)\", that of the path \"\(call.collection)\"."
            )
            .with("pointer", "/id")
        }
        let collection = call.collection
        let lineage = call.service.configuration.makeLineage()
        let mayCreate = call.caller.may(.admin, collection)
        return { previous in
            Decision.deciding { () throws(Problem) in
                // Only here it is sure whether it exists.
                guard previous != nil || mayCreate else { throw Service.forbidden(.admin) }
                try terms.check(against: previous)
                let next: Snapshot
                do throws(ChangeError) {
                    if let previous {
                        next = try previous.replacing(with: content)
                    } else {
                        next = try Snapshot(lineage: lineage, content: content)
                    }
                } catch { throw Problem(error, path: error.path[...]) }
                guard let previous else { return try terms.creation(of: next, as: collection) }
                return try terms.decision(from: previous, to: next, isPut: true)
            }
        }
    }

    static func patch(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        var terms = try EditTerms(call)
        let body: PatchBody
        do throws(DecodingProblem) {
            body = try call.service.changeDecoder.patchBody(call.request.body)
        } catch { throw Problem(error) }
        terms.base = body.base
        terms.ifRevision = body.ifRevision
        let collection = call.collection
        return { [terms] previous in
            Decision.deciding { () throws(Problem) in
                guard let previous else { throw Call.noCollection(collection) }
                try terms.check(against: previous)
                let next: Snapshot
                do throws(ChangeError) {
                    next = try previous.applying(body.changes)
                } catch { throw Problem(error, path: [.member("changes")] + error.path) }
                return try terms.decision(from: previous, to: next)
            }
        }
    }

    static func delete(_ call: Call) throws(Problem) -> @Sendable (Snapshot?) -> Decision {
        let terms = try EditTerms(call)
        let collection = call.collection
        return { previous in
            Decision.deciding { () throws(Problem) in
                guard let previous else { throw Call.noCollection(collection) }
                try terms.check(against: previous)
                return .remove(Answer(status: 204))
            }
        }
    }
}
