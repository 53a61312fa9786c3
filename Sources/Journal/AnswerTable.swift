/// The answers that are kept under idempotency keys, the oldest dropped when they are too old or take too much memory.
struct AnswerTable {
    /// How long an answer is kept, in seconds, memory permitting.
    static let lifetime: Double = 24 * 60 * 60
    /// The most bytes that all kept answers may take together.
    static let byteLimit = 256 << 20

    /// What identifies a request: the fingerprint is not part of it, it is compared.
    private struct Name: Hashable {
        let collection: String
        let caller: String
        let value: String
    }

    private struct Entry {
        let fingerprint: UInt64
        let answer: Answer
        let time: Double
        let byteCount: Int
        /// Which of all that were ever kept it is.
        let number: UInt64
    }

    private var entries: [Name: Entry] = [:]
    /// The names in the order of their time, from `head` on. One whose number its entry does not have was kept anew since.
    private var order: [(name: Name, number: UInt64)] = []
    private var head = 0
    private var lastNumber: UInt64 = 0
    private(set) var byteCount = 0

    /// What is known of a key.
    enum Finding {
        case unknown
        case answer(Answer)
        case otherRequest
    }

    /// What is known of a key. O(1).
    func find(_ key: IdempotencyKey, in collection: String) -> Finding {
        guard let entry = entries[Name(collection: collection, caller: key.caller, value: key.value)] else {
            return .unknown
        }
        return entry.fingerprint == key.fingerprint ? .answer(entry.answer) : .otherRequest
    }

    /// The memory that an answer takes, in bytes.
    static func byteCount(of answer: Answer, under key: IdempotencyKey, in collection: String) -> Int {
        let headers = answer.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return 256 + collection.utf8.count + key.caller.utf8.count + key.value.utf8.count + headers + answer.body.count
    }

    /// Keeps an answer under a key, in place of one that is known. O(1) amortised.
    mutating func keep(_ answer: Answer, under key: IdempotencyKey, in collection: String, at time: Double) {
        let name = Name(collection: collection, caller: key.caller, value: key.value)
        let bytes = Self.byteCount(of: answer, under: key, in: collection)
        lastNumber += 1
        let entry = Entry(
            fingerprint: key.fingerprint, answer: answer, time: time, byteCount: bytes, number: lastNumber)
        if let replaced = entries.updateValue(entry, forKey: name) { byteCount -= replaced.byteCount }
        order.append((name, lastNumber))
        byteCount += bytes
        drop(before: time - Self.lifetime)
    }

    private mutating func drop(before time: Double) {
        // The newest stays, however large it is: it is the one most likely to be asked for.
        while head < order.count - 1 {
            let (name, number) = order[head]
            if let entry = entries[name], entry.number == number {
                guard entry.time < time || byteCount > Self.byteLimit else { break }
                byteCount -= entry.byteCount
                entries[name] = nil
            }
            head += 1
        }
        if head > 1024, head > order.count / 2 {
            order.removeFirst(head)
            head = 0
        }
    }
}
