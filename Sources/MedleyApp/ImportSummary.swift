import MedleyFormats

/// What became of an import's records.
package struct ImportSummary: Sendable {
    /// The records that the file has.
    package var read = 0
    /// The items that are new.
    package var inserted = 0
    /// The items that have another model now.
    package var updated = 0
    /// The items that were there as the file has them.
    package var unchanged = 0
    /// The records that could not be imported.
    package var refused = 0
    /// The sections that are new.
    package var newSections = 0
    /// The collection's revision after the last change; `nil` if nothing was sent.
    package var revision: String?
    /// What was not taken over as it stands: how often, and on which line first.
    package private(set) var notices: [(message: String, count: Int, line: Int)] = []

    private var indices: [String: Int] = [:]

    /// Counts a notice.
    mutating func add(_ notice: ImportNotice) {
        if let index = indices[notice.message] {
            notices[index].count += 1
        } else {
            indices[notice.message] = notices.count
            notices.append((notice.message, 1, notice.line))
        }
    }

    /// The counts in one line.
    package var text: String {
        var text =
            "read \(read), inserted \(inserted), updated \(updated), unchanged \(unchanged), refused \(refused)"
        if newSections > 0 { text += ", new sections \(newSections)" }
        if let revision { text += ", revision \(revision)" }
        return text
    }

    /// The notices, a line for each kind.
    package var noticeLines: [String] {
        notices.map { notice in
            switch notice.count {
            case 1: "line \(notice.line): \(notice.message)"
            case 2: "line \(notice.line) and one other: \(notice.message)"
            default: "line \(notice.line) and \(notice.count - 1) others: \(notice.message)"
            }
        }
    }
}
