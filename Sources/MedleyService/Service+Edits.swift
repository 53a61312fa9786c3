import HTTPCore
import Journal

extension Service {
    /// From so many bytes on a body is decoded, and an answer compressed, on another thread.
    private static let largeBodyBytes = 64 << 10

    /// Decodes an edit, hands it to the committer and answers when it is durable.
    func edit(_ call: Call, _ prepare: @escaping Operation.Prepare, _ exchange: AnswerContext, _ reply: any Reply) {
        let byteCount = call.request.body.count
        guard let reservation = editBytes.reservation(of: byteCount) else {
            let limit = configuration.limits.editBytes
            refuse(.overloaded, "Too many bytes of edits wait. Nothing was applied.", limit: limit, exchange, reply)
            return
        }
        let reply = ReservedReply(reply, reservation)
        guard call.operation.isSlow || byteCount > Self.largeBodyBytes else {
            submit(call, prepare, exchange, reply)
            return
        }
        if !decoding.submit({ self.submit(call, prepare, exchange, reply) }) {
            let limit = configuration.limits.waitingBodies
            refuse(.overloaded, "Too many large bodies wait to be decoded.", limit: limit, exchange, reply)
        }
    }

    private func submit(_ call: Call, _ prepare: Operation.Prepare, _ exchange: AnswerContext, _ reply: any Reply) {
        do throws(Problem) {
            let key = try Self.key(call.request, call.caller)
            let decide = try prepare(call)
            try requireStanding(of: call.caller)
            if try isTrial(call) {
                // Nothing becomes of it: it holds up no edit, and there is no effect whose answer is to be kept.
                send(decide(library.snapshot(of: call.collection)), call.wantsGzip, exchange, reply)
                return
            }
            let edit = Edit(collection: call.collection, key: key, decide: decide)
            // Not the call itself: its body would stay in memory beside what was made of it.
            let wantsGzip = call.wantsGzip
            committer.submit(edit) { result in self.send(result, wantsGzip, exchange, reply) }
        } catch { reply.send(finished(error.response, exchange)) }
    }

    /// Whether a request only asks what it would do.
    private func isTrial(_ call: Call) throws(Problem) -> Bool {
        guard let name = call.operation.trialParameter else { return false }
        return try call.query.bool(name) ?? false
    }

    /// Answers what was only tried.
    private func send(_ decision: Decision, _ wantsGzip: Bool, _ exchange: AnswerContext, _ reply: any Reply) {
        guard case .keep(let answer) = decision else { preconditionFailure("a trial changes nothing") }
        send(answer, false, wantsGzip, exchange, reply)
    }

    /// The key of a request, its fingerprint made of method, path, query and body.
    private static func key(_ request: Request, _ caller: Caller) throws(Problem) -> IdempotencyKey? {
        let values = request.head.headers.values("Idempotency-Key")
        guard let value = values.first else { return nil }
        guard values.count == 1, (1...255).contains(value.utf8.count),
            value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw ProblemCode.malformedRequest.problem("Idempotency-Key is 1 to 255 visible ASCII characters, once.")
        }
        var fingerprint = Fingerprint()
        fingerprint.add(request.head.method)
        fingerprint.add(request.head.path)
        if let query = request.head.query { fingerprint.add(query) }
        fingerprint.add(request.body)
        return IdempotencyKey(caller: caller.keyOwner, value: value, fingerprint: fingerprint.value)
    }

    /// On the committer's thread.
    private func send(_ result: EditResult, _ wantsGzip: Bool, _ exchange: AnswerContext, _ reply: any Reply) {
        switch result {
        case .answered(let answer, let isReplayed): send(answer, isReplayed, wantsGzip, exchange, reply)
        case .keyReused:
            refuse(.keyReused, "Idempotency-Key was sent before with another request.", exchange, reply)
        case .keyInUse:
            refuse(.keyInUse, "The first request with this Idempotency-Key is under way.", exchange, reply)
        case .storageFailed: refuse(.storageFailed, "Nothing was applied.", exchange, reply)
        case .shuttingDown: refuse(.shuttingDown, "Nothing was applied.", exchange, reply)
        case .overloaded:
            let limit = committer.limits.waitingEdits
            refuse(.overloaded, "Too many edits wait. Nothing was applied.", limit: limit, exchange, reply)
        case .tooManyCollections(let limit):
            let detail = "There are \(limit) collections, as many as there may be; `--max-collections` allows more."
            refuse(.limitReached, detail, limit: limit, exchange, reply)
        }
    }

    private func refuse(
        _ code: ProblemCode, _ detail: String, limit: Int? = nil, _ exchange: AnswerContext, _ reply: any Reply
    ) {
        var problem = code.problem(detail)
        if let limit { problem = problem.with("limit", limit) }
        reply.send(finished(problem.response, exchange))
    }

    private func send(
        _ answer: Answer, _ isReplayed: Bool, _ wantsGzip: Bool, _ exchange: AnswerContext, _ reply: any Reply
    ) {
        var headers = HeaderFields()
        for header in answer.headers { headers.add(header.name, header.value) }
        if isReplayed { headers.add("Idempotency-Replayed", "true") }
        let plain = Response(
            status: answer.status, headers: headers, body: answer.body.isEmpty ? .empty : .bytes(answer.body))
        guard answer.body.count >= Document.gzippedSize, wantsGzip else {
            reply.send(finished(plain, exchange))
            return
        }
        // The committer's thread has more to do than to compress.
        let isAdmitted = decoding.submit {
            var response = plain
            response.body = .bytes(Document(answer.body).gzipped)
            response.headers.add("Content-Encoding", "gzip")
            reply.send(self.finished(response, exchange))
        }
        if !isAdmitted { reply.send(finished(plain, exchange)) }
    }
}
