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
        if since == snapshot.revision { return SharedDifference(since: since, of: snapshot, collection) }
        let key = Key(collection: collection, since: since, current: snapshot.revision, most: most)
        if let known = state.withLock({ $0.differences[key] }) { return known }
        // Not under the lock: another loop would wait. Now and then two make the same.
        let made = SharedDifference(since: since, of: snapshot, collection, atMost: most)
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
}

/// A difference in each form in which it is sent, made when first asked for.
final class SharedDifference: Sendable {
    /// The answer to a poll, `{"from":…,"to":…,"changes":…}`; `nil` if the client has to start over.
    let answer: [UInt8]?
    /// Why it cannot be told; `nil` if it can, or would be longer than the snapshot.
    let refusal: ProblemCode?
    /// The revision that it leads to.
    let current: Revision
    private let collection: String
    private let forms = Mutex(Forms())

    private struct Forms {
        var gzip: [UInt8]?
        var event: LivePiece?
        var namedEvent: LivePiece?
    }

    init(since: Revision, of snapshot: Snapshot, _ collection: String, atMost most: Int = .max) {
        current = snapshot.revision
        self.collection = collection
        switch EncodedDifference(since: since, of: snapshot, atMost: most) {
        case .changes(let list): (answer, refusal) = (EncodedDifference.answer(from: since, to: current, list), nil)
        case .reset: (answer, refusal) = (nil, nil)
        case .unanswerable(let code): (answer, refusal) = (nil, code)
        }
    }

    /// About the bytes of all forms.
    var byteCount: Int { (answer?.count ?? 0) * 3 + 512 }

    /// The answer, in gzip's form if the client likes that and it is worth it.
    func body(gzip: Bool) -> (bytes: [UInt8], isGzip: Bool)? {
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
