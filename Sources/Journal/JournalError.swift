import SQLite

/// Why a store could not keep a batch, be opened or be read.
package struct JournalError: Error, Sendable {
    /// What happened, for the log.
    package let message: String
    /// Whether it was the store that failed, as on a full disk, and not just this batch that it would not take.
    package let isOfStore: Bool

    /// Creates an error.
    package init(_ message: String, isOfStore: Bool = false) {
        self.message = message
        self.isOfStore = isOfStore
    }

    /// What was thrown while a store was used, with the place.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as SQLiteError:
            let hint = error.isCorrupt ? "\(path) is damaged: \(error); medley check tells more" : "\(path): \(error)"
            self.init(hint, isOfStore: !error.isOfStatement)
        default: self.init("\(path): \(error)")
        }
    }
}
