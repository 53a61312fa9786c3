import MedleyClient
import MedleyCore
import MedleyFormats
import MedleyJSON

/// Brings a file's records into a collection, batch by batch, as its `ImportPlan` says.
struct CollectionImporter<Destination: ImportDestination> {
    /// Where the batches go.
    private(set) var destination: Destination
    private var reading: ImportReading
    private let options: ImportPlan.Options
    private var plan: ImportPlan?
    private var isAtEnd = false

    init(into destination: Destination, _ reading: ImportReading, _ options: ImportPlan.Options) {
        self.destination = destination
        self.reading = reading
        self.options = options
    }

    /// What has become of the records so far.
    var summary: ImportSummary { reading.summary }
    /// The number of the file's bytes that have been read.
    var bytesRead: Int { reading.bytesRead }
    /// Whether that tells how far the import is.
    var tellsProgress: Bool { reading.tellsProgress }
    /// Why what the file does not have is kept although it was to be deleted; `nil` if it was not, or is not yet known.
    var reasonForKeeping: String? {
        guard options.prunes else { return nil }
        if !reading.isComplete { return "not all of the file could be read" }
        return isAtEnd && plan?.sparesAll == true ? "the file has no record" : nil
    }

    /// Reads a few records on, and sends a batch when one is full; returns whether there is more.
    ///
    /// Throws `FormatError` or `ClientError` if it cannot go on; what `summary` counts by then is done.
    mutating func step() async throws -> Bool {
        if plan == nil { plan = ImportPlan(into: try await destination.target(), options) }
        for _ in 0..<Self.stepSize {
            let step: ImportReading.Step?
            do throws(FormatError) {
                step = try reading.next()
            } catch {
                // What came before the fault is imported; the error says what is not.
                try await flush()
                throw error
            }
            guard let step else {
                isAtEnd = true
                try await flush()
                try await close()
                return false
            }
            do throws(ImportRefusal) {
                try plan?.take(step)
            } catch {
                reading.summary.refuse(error)
            }
            if plan?.batch.isFull == true {
                try await flush()
                break
            }
        }
        return true
    }

    /// The records refused since this was last asked.
    mutating func takeRefusals() -> [ImportRefusal] { reading.summary.takeRefusals() }

    private static var stepSize: Int { 100 }
    /// The most ids, and the most changes, of one edit of those that end an import.
    private static var closingLimit: (ids: Int, changes: Int) { (5_000, 500) }

    /// Sends the batch and starts another.
    private mutating func flush() async throws {
        try reading.checkFields()
        if let content = plan?.creation(named: destination.name) {
            if let revision = try await destination.create(content) { reading.summary.revision = "\(revision)" }
        }
        if let batch = plan?.takeBatch() { try await send(batch) }
    }

    /// Deletes what the file does not have, and moves things to where it has them, if that is asked for.
    private mutating func close() async throws(ClientError) {
        var group: [Change] = []
        var count = 0
        for change in plan?.closing(isWhole: reading.isComplete) ?? [] {
            let ids = change.operation.idCount
            if !group.isEmpty, count + ids > Self.closingLimit.ids || group.count >= Self.closingLimit.changes {
                self.count(try await destination.edit(group))
                (group, count) = ([], 0)
            }
            group.append(change)
            count += ids
        }
        if !group.isEmpty { self.count(try await destination.edit(group)) }
    }

    /// Sends a batch; an item that the server refuses is reported, and the rest goes without it. So is what is said of a
    /// section, without which its items go.
    private mutating func send(_ batch: ImportBatch) async throws(ClientError) {
        var batch = batch
        while !batch.isEmpty {
            let (changes, origins) = batch.changes()
            let refused: ClientError
            do throws(ClientError) {
                let changed = count(try await destination.edit(changes))
                reading.summary.unchanged += max(0, batch.entries.count - changed)
                return
            } catch {
                refused = error
            }
            guard let problem = refused.problem, [400, 409, 413, 422].contains(problem.status) else { throw refused }
            let section = problem.pointer.flatMap { batch.section(at: $0) }
            if let section, batch.strip(section) {
                let reason = "what is said of the section \"\(section)\" is left out: \(refused.message)"
                reading.summary.refuse(ImportRefusal(line: batch.line(of: section) ?? 1, reason: reason))
                continue
            }
            let named = problem.pointer.flatMap { batch.entry(at: $0, origins) }
            if problem.status == 413, named == nil, section == nil, batch.entries.count > 1 {
                let (first, second) = batch.halves()
                try await send(first)
                try await send(second)
                return
            }
            let isOnly = problem.status == 413 && batch.entries.count == 1 && section == nil
            guard let culprit = named ?? (isOnly ? 0 : nil) else { throw refused }
            reading.summary.refuse(ImportRefusal(line: batch.entries[culprit].line, reason: refused.message))
            plan?.drop(batch.entries[culprit].item.id)
            batch.remove(at: culprit)
        }
    }

    /// Counts what an edit changed; returns how many items are new or have another model.
    @discardableResult
    private mutating func count(_ answer: ChangesAnswer) -> Int {
        reading.summary.revision = answer.to.description
        return reading.summary.count(answer.changes ?? []) { plan?.isNew($0) ?? false }
    }
}

extension Change.Operation {
    /// The number of ids that a deletion or a move names.
    fileprivate var idCount: Int {
        switch self {
        case .delete(let ids), .move(let ids, _): ids.count
        case .moveSection(let ids, _): ids.count
        default: 1
        }
    }
}
