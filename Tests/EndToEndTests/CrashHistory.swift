import Foundation
import MedleyCore
import Synchronization

/// What all clients of a trial saw and did, since it was last taken.
final class CrashHistory: Sendable {
    /// An edit with its answer.
    struct Record: Sendable {
        let edit: CrashEdit
        let answer: CrashAnswer
    }

    /// What happened between two looks at it.
    struct Events: Sendable {
        var answered: [Record] = []
        var unanswered: [CrashEdit] = []
        /// The hash of each snapshot that somebody saw, by collection.
        var noted: [String: [Revision: Int]] = [:]
        var refusals = 0
        var polls = 0
    }

    private let events = Mutex(Events())
    private let failures = Mutex<[String]>([])
    private let killed = Atomic(false)

    /// Whether the server may break off what it does.
    var isKilled: Bool {
        get { killed.load(ordering: .acquiring) }
        set { killed.store(newValue, ordering: .releasing) }
    }

    /// What was found to be wrong: the first twenty.
    var findings: [String] { failures.withLock { $0 } }

    func fail(_ text: String) { failures.withLock { if $0.count < 20 { $0.append(text) } } }

    func answered(_ edit: CrashEdit, _ answer: CrashAnswer) {
        if answer.isReplayed { fail("a first request was answered as a repetition: \(edit): \(answer)") }
        events.withLock { $0.answered.append(Record(edit: edit, answer: answer)) }
    }

    func unanswered(_ edit: CrashEdit) { events.withLock { $0.unanswered.append(edit) } }

    func refused() { events.withLock { $0.refusals += 1 } }

    func polled() { events.withLock { $0.polls += 1 } }

    /// Notes a snapshot that somebody saw.
    func note(_ json: [UInt8], of collection: String, at revision: Revision) {
        let hash = Self.hash(json)
        let known = events.withLock { $0.noted[collection, default: [:]].updateValue(hash, forKey: revision) }
        if let known, known != hash { fail("\(collection) was seen with two contents at \(revision)") }
    }

    /// Takes what happened since the last call.
    func take() -> Events {
        events.withLock { events in
            defer { events = Events() }
            return events
        }
    }

    static func hash(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
