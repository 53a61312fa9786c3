import HTTPCore
import MedleyCore
import MedleyFormats

extension SnapshotResource {
    /// Answers in another form than JSON. The columns of a large table are found on another thread.
    static func export(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply) throws(Problem) {
        let snapshot = try call.snapshot()
        for name in ["models", "limit", "cursor"] where !call.query.spelling(of: name).isEmpty {
            throw Query.invalid("\"\(name)\" is for JSON; in another format a collection comes as a whole.")
        }
        let representation = Representation(call, snapshot)
        let filter = try ItemFilter(call.query)
        let service = call.service
        guard call.format.format.needsMemberNames, snapshot.approximateByteCount > Document.streamedSize,
            call.notModified(representation) == nil
        else {
            reply.send(service.finished(try answer(call, snapshot, representation, filter), exchange))
            return
        }
        let isAdmitted = service.decoding.submit {
            do throws(Problem) {
                reply.send(service.finished(try answer(call, snapshot, representation, filter), exchange))
            } catch {
                reply.send(service.finished(error.response, exchange))
            }
        }
        guard isAdmitted else { throw ProblemCode.overloaded.problem("Too many tables and large bodies wait.") }
    }

    private static func answer(
        _ call: Call, _ snapshot: Snapshot, _ representation: Representation, _ filter: ItemFilter
    ) throws(Problem) -> Response {
        if let response = call.notModified(representation) { return response }
        var memberNames: [[UInt8]]?
        if call.format.format.needsMemberNames {
            memberNames = TableColumns.names(of: snapshot, filter: filter)
            guard memberNames != nil else {
                throw ProblemCode.notAcceptable.problem(
                    "The items have more than \(TableColumns.most) different members between them, too many for a "
                        + "table; ask for application/x-ndjson.")
            }
        }
        let document = ExportDocument.make(
            snapshot, format: call.format.format, address: call.collectionAddress, filter: filter,
            memberNames: memberNames)
        var response = call.answer(representation, document)
        response.headers.add(
            "Content-Disposition", "inline; filename=\"\(call.format.fileName(of: call.collection))\"")
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }
}

extension Representation {
    /// What the call's format makes of a snapshot.
    fileprivate init(_ call: Call, _ snapshot: Snapshot) {
        self.init(
            revision: snapshot.revision, form: call.form("format=\(call.format.name)", without: "format"),
            type: call.format.contentType)
    }
}

extension Call {
    /// The absolute URL of the path's collection, as far as the request tells; `nil` if it names no server.
    fileprivate var collectionAddress: String? {
        guard let host = headers["Host"], !host.isEmpty else { return nil }
        return
            "\(request.head.isSecure ? "https" : "http")://\(host)/v1/collections/\(PercentEncoding.encode(collection))"
    }
}
