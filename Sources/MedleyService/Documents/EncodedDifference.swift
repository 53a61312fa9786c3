import HTTPCore
import MedleyCore
import MedleyJSON

/// The difference between a revision that a client holds and a snapshot, as it goes out.
enum EncodedDifference {
    /// The changes as JSON, a list.
    case changes([UInt8])
    /// The changes would be longer than the snapshot and than 1 KiB: the client drops what it holds.
    case reset
    /// It cannot be told, for this reason.
    case unanswerable(ProblemCode)

    /// O(k log k) for k ids touched since, and never more bytes than the snapshot has, nor than `most`.
    init(since: Revision, of snapshot: Snapshot, atMost most: Int = .max) {
        guard since.lineage == snapshot.revision.lineage else {
            self = .unanswerable(.lineageChanged)
            return
        }
        let limit = min(max(snapshot.approximateByteCount, 1 << 10), most)
        switch snapshot.changes(since: since.number, byteLimit: limit) {
        case .changes(let changes):
            self = ChangeEncoder.encoded(changes, atMost: limit).map { .changes($0) } ?? .reset
        case .forgotten: self = .unanswerable(.revisionGone)
        case .unknown: self = .unanswerable(.revisionUnknown)
        case nil: self = .reset
        }
    }

    /// Why a revision cannot be told the changes from, without looking for them; `nil` if it can. O(1).
    static func refusal(of since: Revision, by snapshot: Snapshot) -> ProblemCode? {
        if since.lineage != snapshot.revision.lineage { return .lineageChanged }
        if since.number > snapshot.revision.number { return .revisionUnknown }
        return since.number < snapshot.oldestKnownNumber ? .revisionGone : nil
    }

    /// The problem of a revision that cannot be told the changes from.
    static func problem(_ code: ProblemCode, since: Revision, current: Revision) -> Problem {
        let detail =
            switch code {
            case .revisionGone: "What was deleted since \(since) is no longer kept. Ask without \"since\"."
            case .revisionUnknown: "\(since) is not a revision of this collection yet, which is at \(current)."
            default: "The collection was made anew since \(since). Ask without \"since\"."
            }
        return code.problem(detail).with("current", current.description)
    }

    /// `{"from":…,"to":…,"changes":…}`
    static func answer(from: Revision, to: Revision, _ list: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(list.count + 128)
        ChangesAnswer.append(from: from, to: to, isReset: false, encodedChanges: list, to: &text)
        return text
    }
}
