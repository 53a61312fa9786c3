public import MedleyCore

/// What became of an import's records.
public struct ImportSummary: Sendable {
    /// The records that the file has.
    public var read = 0
    /// The items that are new.
    public var inserted = 0
    /// The items that have another model now.
    public var updated = 0
    /// The items that were there as the file has them.
    public var unchanged = 0
    /// The items that were put where the file has them.
    public var moved = 0
    /// The items that the file does not have and that are gone.
    public var deleted = 0
    /// The records that could not be imported.
    public private(set) var refused = 0
    /// The sections that are new.
    public var newSections = 0
    /// The collection's revision after the last change; `nil` if nothing was sent.
    public var revision: String?
    /// What was not taken over as it stands: how often, and on which line first.
    public private(set) var notices: [(message: String, count: Int, line: Int)] = []
    /// The refusals that nobody has taken yet, the first `refusalLimit` of them.
    public private(set) var refusals: [ImportRefusal] = []

    private var indices: [String: Int] = [:]
    private let refusalLimit: Int

    /// The most kinds of notices that are told apart.
    static let noticeLimit = 1_000

    /// A summary of nothing; it keeps `refusalLimit` refusals at a time, and counts them all.
    public init(refusalLimit: Int = .max) { self.refusalLimit = refusalLimit }

    /// Counts a notice.
    public mutating func add(_ notice: ImportNotice) {
        if let index = indices[notice.message] {
            notices[index].count += 1
        } else if notices.count < Self.noticeLimit {
            indices[notice.message] = notices.count
            notices.append((notice.message, 1, notice.line))
        } else {
            // Messages name fields, of which a file may have endlessly many.
            let last = notices.count - 1
            if indices[Self.others] == nil {
                indices[Self.others] = last
                notices[last] = (Self.others, notices[last].count, notices[last].line)
            }
            notices[last].count += 1
        }
    }

    private static let others = "something else was not taken over as it stands"

    /// Counts a refusal.
    public mutating func refuse(_ refusal: ImportRefusal) {
        refused += 1
        if refusals.count < refusalLimit { refusals.append(refusal) }
    }

    /// The refusals since this was last asked.
    public mutating func takeRefusals() -> [ImportRefusal] {
        defer { refusals = [] }
        return refusals
    }

    /// The counts in one line.
    public var text: String {
        var text =
            "read \(read), inserted \(inserted), updated \(updated), unchanged \(unchanged), refused \(refused)"
        if moved > 0 { text += ", moved \(moved)" }
        if deleted > 0 { text += ", deleted \(deleted)" }
        if newSections > 0 { text += ", new sections \(newSections)" }
        if let revision { text += ", revision \(revision)" }
        return text
    }

    /// The notices, a line for each kind.
    public var noticeLines: [String] {
        notices.map { notice in
            switch notice.count {
            case 1: "line \(notice.line): \(notice.message)"
            case 2: "line \(notice.line) and one other: \(notice.message)"
            default: "line \(notice.line) and \(notice.count - 1) others: \(notice.message)"
            }
        }
    }
}

extension ImportSummary {
    /// Counts what an edit changed, given in the normal form; returns how many items are new or have another model.
    /// O(ids).
    ///
    /// - Parameter isNew: whether an item came with this import, so that it has not moved wherever it is put.
    @discardableResult
    public mutating func count(_ changes: [Change], isNew: (ItemID) -> Bool = { _ in false }) -> Int {
        var changed = 0
        for change in changes {
            switch change.operation {
            case .insert(let items, _):
                inserted += items.count
                changed += items.count
            case .update(let items):
                updated += items.count
                changed += items.count
            case .insertSection(let sections, _): newSections += sections.count
            case .move(let ids, _): moved += ids.count { !isNew($0) }
            case .delete(let ids): deleted += ids.count
            default: break
            }
        }
        return changed
    }
}
