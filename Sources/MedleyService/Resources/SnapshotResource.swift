import HTTPCore
import MedleyCore

/// `GET /v1/collections/{collection}`: the snapshot, filtered, without models or in pages, or in another format.
enum SnapshotResource {
    static func get(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        guard call.format == .json else { return try export(call, exchange, reply) }
        reply.send(call.service.finished(try json(call), exchange))
    }

    private static func json(_ call: Call) throws(Problem) -> Response {
        let current = try call.snapshot()
        let hasModels = try !call.query.flag("models", "none")
        let filter = try ItemFilter(call.query)
        let limit = try call.query.count("limit", most: call.service.configuration.limits.pageItems)
        let cursor = try cursor(call)
        if limit == nil, cursor == nil {
            if hasModels, filter.isEmpty {
                return call.answer(current.revision, form: "") {
                    SnapshotDocument.make(current, collection: call.collection)
                }
            }
            return call.answer(current.revision, form: call.form("", without: "format")) {
                SelectionDocument.sections(
                    current, collection: call.collection, page: .whole(sectionCount: current.sectionCount),
                    filter: filter,
                    hasModels: hasModels, next: nil)
            }
        }

        let snapshot = try cursor.map { cursor throws(Problem) in try pinned(cursor, call, current) } ?? current
        let sections = snapshot.orderedSections
        let start = cursor?.position ?? ItemPosition(section: 0, item: 0)
        if cursor != nil {
            guard sections.indices.contains(start.section), start.item < sections[start.section].count else {
                throw noCursor
            }
        }
        let page = Page(
            sections, from: start, limit: limit ?? .max,
            mostLookedAt: call.service.configuration.limits.pageItemsLookedAt, filter: filter)
        let next = page.next.map { Cursor(revision: snapshot.revision, position: $0, filter: filters(call)).text }
        if next != nil { call.service.cursors.hold(snapshot, of: call.collection) }
        return call.answer(snapshot.revision, form: call.form("", without: "format"), link: next.map { link(call, $0) })
        {
            SelectionDocument.sections(
                snapshot, collection: call.collection, page: page, filter: filter, hasModels: hasModels, next: next)
        }
    }

    private static var noCursor: Problem { Query.invalid("\"cursor\" is none that was given for this query.") }

    private static func cursor(_ call: Call) throws(Problem) -> Cursor? {
        guard let text = try call.query.value("cursor") else { return nil }
        guard let cursor = Cursor(text, filter: filters(call)) else { throw noCursor }
        return cursor
    }

    /// What the collection and the parameters hash to that must stay as they were from page to page.
    private static func filters(_ call: Call) -> UInt64 {
        var fingerprint = Fingerprint()
        fingerprint.add(call.collection)
        for name in ["models", "section", "type", "liked"] { fingerprint.add(call.query.spelling(of: name)) }
        return fingerprint.value
    }

    private static func pinned(_ cursor: Cursor, _ call: Call, _ current: Snapshot) throws(Problem) -> Snapshot {
        if cursor.revision == current.revision { return current }
        if let snapshot = call.service.cursors.find(cursor.revision, of: call.collection) { return snapshot }
        throw ProblemCode.cursorGone.problem(
            "The snapshot at \(cursor.revision) is no longer held; start again without \"cursor\"."
        ).with("current", current.revision.description)
    }

    private static func link(_ call: Call, _ next: String) -> String {
        let others = call.query.canonical(without: "cursor")
        let path = "/v1/collections/\(PercentEncoding.encode(call.collection))"
        return "\(path)?\(others.isEmpty ? "" : others + "&")cursor=\(next)"
    }
}
