import HTTPCore
import JSONText
import Journal
import MedleyCore
import MedleyJSON
import Synchronization

/// A poll of many collections, held until one of them moves.
final class MultiPoll: HeldRequest, Watcher {
    private let service: Service
    private let watchers: LoopWatchers
    private let reply: any Reply
    private let exchange: AnswerContext
    private let standing: Standing
    private let since: [(collection: String, revision: Revision?)]
    private let collections: [String]
    private let resetsInline: Bool
    private let wantsGzip: Bool
    /// What the request has only once it is held. Used on the loop only; the lock, never contended, says so to the compiler.
    private let waiting = Mutex<(place: WaitingPlace, deadline: UInt64)?>(nil)

    init(_ call: Call, _ exchange: AnswerContext, _ reply: any Reply, _ body: PollBody) {
        service = call.service
        watchers = call.service.switchboard.watchers(on: reply.loop)
        self.reply = reply
        self.exchange = exchange
        standing = Standing(call.caller, call.service.configuration.access)
        since = body.since
        collections = body.since.map(\.collection)
        resetsInline = body.resetsInline
        wantsGzip = call.wantsGzip
    }

    /// Holds the request until there is something to tell.
    func hold(from address: NetworkAddress, seconds: Double) throws(Problem) {
        let place = try service.places.take(.poll, for: address, following: collections.count)
        let deadline = reply.loop.now + UInt64(seconds * 1e9)
        waiting.withLock { $0 = (place, deadline) }
        watchers.add(self, to: collections)
        reply.hold(self)
        // What was published before the registration has told nobody. A client that has gone has been answered by now.
        if waiting.withLock({ $0 != nil }) { look() }
    }

    func published(_ collections: Set<String>) { look() }

    func tick(now: UInt64) {
        if let deadline = waiting.withLock({ $0?.deadline }), now >= deadline || !standing.holds {
            answer(document(), isHeld: true)
        }
    }

    func drain() { answer(document(), isHeld: true) }

    func peerEnded() { answer(document(), isHeld: true) }

    private func look() {
        let document = document()
        if document != nil || !standing.holds { answer(document, isHeld: true) }
    }

    /// Answers with what is to be told; `nil` says that nothing is.
    func answer(_ document: Document?, isHeld: Bool) {
        if isHeld { watchers.remove(self, from: collections) }
        var exchange = exchange
        exchange.isHeld = isHeld
        defer { waiting.withLock { $0 = nil } }
        guard standing.holds else {
            reply.send(service.finished(Standing.ended.response, exchange))
            return
        }
        var headers = HeaderFields()
        headers.add("Content-Type", RoutingTable.json)
        headers.add("Cache-Control", "no-store")
        headers.add("Vary", "Accept, Accept-Encoding")
        let (body, isGzip) = (document ?? Document(Array("{\"collections\":{}}".utf8))).body(gzip: wantsGzip)
        if isGzip { headers.add("Content-Encoding", "gzip") }
        reply.send(service.finished(Response(status: 200, headers: headers, body: body), exchange))
    }

    // MARK: What there is to tell

    /// What the collections that moved or have a problem are answered with; `nil` if none does. O(collections) while
    /// nothing moves.
    func document() -> Document? {
        var documents: [(collection: String, document: Document)] = []
        for (collection, revision) in since {
            if let document = document(collection, revision) { documents.append((collection, document)) }
        }
        return documents.isEmpty ? nil : Self.joined(documents)
    }

    private func document(_ collection: String, _ since: Revision?) -> Document? {
        guard standing.mayRead(collection), let snapshot = service.library.snapshot(of: collection) else {
            return Document(Call.noCollection(collection).json)
        }
        guard let since else { return ResetDocument.make(snapshot) }
        if since == snapshot.revision { return nil }
        let difference = service.differences.difference(since: since, of: snapshot, collection)
        if let code = difference.refusal, !resetsInline {
            return Document(EncodedDifference.problem(code, since: since, current: snapshot.revision).json)
        }
        return difference.document ?? ResetDocument.make(snapshot)
    }

    /// `{"collections":{name:document,…}}`
    private static func joined(_ documents: [(collection: String, document: Document)]) -> Document {
        let hint = documents.reduce(32) { $0 + ($1.document.byteCountHint ?? 1024) + $1.collection.utf8.count }
        return Document(byteCountHint: hint) {
            var index = 0
            var parts: AnyIterator<DocumentPart>?
            return AnyIterator {
                if let part = parts?.next() { return part }
                parts = nil
                guard index <= documents.count else { return nil }
                defer { index += 1 }
                guard index < documents.count else { return .text(Array("}}".utf8)) }
                var text = Array((index == 0 ? "{\"collections\":{" : ",").utf8)
                JSONWriter.append(string: documents[index].collection, to: &text)
                text.append(UInt8(ascii: ":"))
                parts = documents[index].document.makeParts()
                return .text(text)
            }
        }
    }
}
