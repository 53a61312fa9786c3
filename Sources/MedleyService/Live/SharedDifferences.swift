import HTTPCore
import JSONText
import MedleyCore
import MedleyJSON
import Synchronization

/// The differences that were encoded last, so that all who wait with the same revision share one: its bytes are made once
/// and handed to each socket by reference.
final class SharedDifferences: Sendable {
    private struct Key: Hashable {
        let collection: String
        let since: Revision
        let current: Revision
        let most: Int
    }

    private struct State {
        var differences: [Key: SharedDifference] = [:]
        var order: [Key] = []
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let budget: ByteBudget

    /// Differences whose bytes are taken out of a budget as long as anyone holds them.
    init(within budget: ByteBudget) { self.budget = budget }

    /// The most differences that are kept.
    private static let most = 256
    /// About the most bytes that they may come to.
    private static let mostBytes = 16 << 20

    /// The difference between a revision and a snapshot. O(1) if it was asked for before, else as `EncodedDifference`.
    ///
    /// - Parameter most: the bytes from which on it is a reset.
    func difference(
        since: Revision, of snapshot: Snapshot, _ collection: String, atMost most: Int = .max
    ) -> SharedDifference {
        // Nothing is made quickly, and would push what is worth keeping out.
        if since == snapshot.revision { return make(since, snapshot, collection, most) }
        let key = Key(collection: collection, since: since, current: snapshot.revision, most: most)
        if let known = state.withLock({ $0.differences[key] }) { return known }
        // Not under the lock: another loop would wait. Now and then two make the same.
        let made = make(since, snapshot, collection, most)
        if made.isCrowdedOut { return made }
        return state.withLock { state in
            if let known = state.differences[key] { return known }
            state.differences[key] = made
            state.order.append(key)
            state.byteCount += made.byteCount
            while state.order.count > 1, state.order.count > Self.most || state.byteCount > Self.mostBytes {
                let oldest = state.order.removeFirst()
                state.byteCount -= state.differences.removeValue(forKey: oldest)?.byteCount ?? 0
            }
            return made
        }
    }

    private func make(_ since: Revision, _ snapshot: Snapshot, _ collection: String, _ most: Int) -> SharedDifference {
        SharedDifference(since: since, of: snapshot, collection, atMost: most, within: budget)
    }
}

/// A difference in each form in which it is sent, made when first asked for.
final class SharedDifference: Sendable {
    /// The answer to a poll, `{"from":…,"to":…,"changes":…}`; `nil` if the client has to start over.
    let answer: [UInt8]?
    /// Why it cannot be told; `nil` if it can, or would be longer than the snapshot.
    let refusal: ProblemCode?
    /// Whether it is none only because those that others hold take too much memory: a reset takes none.
    let isCrowdedOut: Bool
    /// The revision that it leads to.
    let current: Revision
    private let collection: String
    private let forms = Mutex(Forms())
    private let reservation: Reservation?

    private struct Forms {
        var gzip: [UInt8]?
        var event: LivePiece?
        var namedEvent: LivePiece?
    }

    init(
        since: Revision, of snapshot: Snapshot, _ collection: String, atMost most: Int, within budget: ByteBudget
    ) {
        current = snapshot.revision
        self.collection = collection
        // There is always room for one that is sent in one piece; others are there in two forms.
        let room = max(budget.room / 2, Document.streamedSize)
        var (answer, refusal): ([UInt8]?, ProblemCode?) = (nil, nil)
        var reservation: Reservation?
        var isCrowdedOut = false
        switch EncodedDifference(since: since, of: snapshot, atMost: min(most, room)) {
        case .changes(let list):
            if list.count > Document.streamedSize { reservation = budget.reservation(of: list.count * 2) }
            isCrowdedOut = list.count > Document.streamedSize && reservation == nil
            if !isCrowdedOut { answer = EncodedDifference.answer(from: since, to: current, list) }
        case .reset: isCrowdedOut = room < min(most, max(snapshot.approximateByteCount, 1 << 10))
        case .unanswerable(let code): refusal = code
        }
        (self.answer, self.refusal) = (answer, refusal)
        (self.reservation, self.isCrowdedOut) = (reservation, isCrowdedOut)
    }

    /// About the bytes of all forms.
    var byteCount: Int { (answer?.count ?? 0) * 3 + 512 }

    /// The answer as a document, which holds this.
    var document: Document? { answer.map { Document($0, holding: self) } }

    /// The answer as a body, in gzip's form if the client likes that and it is worth it.
    func body(gzip: Bool) -> (body: Response.Body, isGzip: Bool)? {
        bytes(gzip: gzip).map { (HeldBytes.body($0.bytes, holding: self), $0.isGzip) }
    }

    private func bytes(gzip: Bool) -> (bytes: [UInt8], isGzip: Bool)? {
        guard let answer else { return nil }
        guard gzip, answer.count >= Document.gzippedSize else { return (answer, false) }
        if let known = forms.withLock({ $0.gzip }) { return (known, true) }
        // Not under the lock: another loop would wait.
        let made = Document(answer).gzipped
        return forms.withLock { forms in
            let bytes = forms.gzip ?? made
            forms.gzip = bytes
            return (bytes, true)
        }
    }

    /// The event of a stream of this collection alone: with its id.
    var event: LivePiece? {
        guard let answer else { return nil }
        return forms.withLock { forms in
            let piece = forms.event ?? LivePiece(EventText.event("changes", id: current.description, data: answer))
            forms.event = piece
            return piece
        }
    }

    /// The event of a stream of several collections: without its id, which is the stream's own.
    var namedEvent: LivePiece? {
        guard let answer else { return nil }
        return forms.withLock { forms in
            let piece =
                forms.namedEvent
                ?? LivePiece(
                    EventText.event("changes", data: EventText.opening(naming: collection) + answer.dropFirst()))
            forms.namedEvent = piece
            return piece
        }
    }
}
