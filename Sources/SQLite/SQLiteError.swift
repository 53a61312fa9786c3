import CSQLite

/// What SQLite refused or could not do.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// SQLite's extended result code, for example 2067 for SQLITE_CONSTRAINT_UNIQUE; its low byte is the primary code.
    package let code: Int32
    /// SQLite's own words.
    package let message: String
    /// What was asked for: the opening of a file, or the start of a statement.
    package let operation: String

    package var description: String { "\(operation): \(message) (SQLite's code \(code))" }

    /// Whether the file is damaged, or is no database at all.
    package var isCorrupt: Bool { isAny(of: SQLITE_CORRUPT, SQLITE_NOTADB) }
    /// Whether the file is no database, or its beginning is missing.
    package var isNoDatabase: Bool { isAny(of: SQLITE_NOTADB) }
    /// Whether another connection holds a lock that this one needs.
    package var isBusy: Bool { isAny(of: SQLITE_BUSY, SQLITE_LOCKED) }
    /// Whether it is the statement, or what was bound to it, that SQLite would not take; the database is as well as before.
    package var isOfStatement: Bool {
        isAny(of: SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_ERROR, SQLITE_MISUSE)
    }

    private func isAny(of primary: Int32...) -> Bool { primary.contains(code & 0xff) }

    /// The error of whatever uses a connection that was closed.
    static func afterClose(_ operation: String) -> SQLiteError {
        SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed", operation: operation)
    }

    /// The start of a statement, on one line, for `operation`.
    static func summary(of sql: String) -> String {
        let line = sql.split(whereSeparator: \.isWhitespace).prefix(12).joined(separator: " ")
        return line.count <= 80 ? line : line.prefix(79) + "…"
    }
}
