import CSQLite

/// One connection to a database.
///
/// Neither it nor its statements may be used by two threads at the same time: SQLite's own lock on a connection is left
/// out. Strings of SQL must not hold a NUL.
@safe package final class Database {
    /// What a connection may do.
    package enum Access: Sendable {
        /// Read and write, and make the file if there is none.
        case create
        /// Read and write a file that is there.
        case readWrite
        /// Read a file that is there.
        case readOnly

        fileprivate var flags: Int32 {
            switch self {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        }
    }

    /// SQLite's connection; `nil` once it is closed.
    private var connection: OpaquePointer?

    /// Opens a database file.
    ///
    /// SQLite reads the file at the first statement, so a damaged one, or one that is no database, is told of only then.
    ///
    /// - Parameters:
    ///   - path: of the file; never taken as a URI. `:memory:` is a database that ends with the connection.
    ///   - access: what the connection may do.
    ///   - vfs: the name of the registered VFS to use; `nil` for SQLite's default.
    ///   - busyMilliseconds: how long a statement waits for a lock that another connection holds; 0 for not at all.
    /// - Throws: an error whose operation names the path.
    package init(
        path: String, access: Access, vfs: String? = nil, busyMilliseconds: Int32 = 0
    ) throws(SQLiteError) {
        let operation = "open \(path)"
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SQLiteError(
                code: SQLITE_CANTOPEN, message: "a path must not be empty or hold a NUL", operation: operation)
        }
        // Some builds of SQLite, Debian's among them, take what starts with `file:` as a URI.
        let file = path.hasPrefix("file:") ? "./" + path : path
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code =
            if let vfs {
                unsafe sqlite3_open_v2(file, &opened, flags, vfs)
            } else {
                unsafe sqlite3_open_v2(file, &opened, flags, nil)
            }
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe Self.error(code, operation, of: opened)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe sqlite3_busy_timeout(opened, busyMilliseconds)
        unsafe connection = opened
    }

    deinit {
        unsafe sqlite3_close_v2(connection)
    }

    /// Finalizes every statement of this connection and closes it: a transaction that is open is rolled back, the last
    /// connection to a file moves what is in its write-ahead log into the file.
    ///
    /// What is used afterwards, its statements too, throws SQLITE_MISUSE. Closing again does nothing.
    package func close() throws(SQLiteError) {
        guard let closing = unsafe connection else { return }
        unsafe connection = nil
        while let statement = unsafe sqlite3_next_stmt(closing, nil) { unsafe sqlite3_finalize(statement) }
        let code = unsafe sqlite3_close_v2(closing)
        guard code == SQLITE_OK else { throw unsafe Self.error(code, "close", of: nil) }
    }

    /// Runs one or more statements; rows are passed over. What ran before one that fails stays done, unless a transaction
    /// is open.
    package func execute(_ sql: String) throws(SQLiteError) {
        let connection = try unsafe opened(for: sql)
        let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, in: sql) }
    }

    /// Compiles one statement that is to be used again and again. What follows the first statement is ignored.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try statement(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    }

    /// The first column of the first row; `nil` if there is no row or it is NULL.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try statement(sql, flags: 0)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// The first column of the first row as text; `nil` if there is no row or it is NULL.
    package func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try statement(sql, flags: 0)
        return try statement.step() && !statement.isNull(0) ? statement.text(0) : nil
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
        guard let connection = unsafe connection else { return false }
        return unsafe sqlite3_get_autocommit(connection) == 0
    }

    /// Whether the connection has not been closed.
    var isOpen: Bool { unsafe connection != nil }

    /// An error of this connection with SQLite's words for what failed last: to be made before any other call.
    func error(_ code: Int32, in sql: String) -> SQLiteError {
        unsafe Self.error(code, SQLiteError.summary(of: sql), of: connection)
    }

    private func statement(_ sql: String, flags: UInt32) throws(SQLiteError) -> Statement {
        let connection = try unsafe opened(for: sql)
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK else { throw error(code, in: sql) }
        guard let handle = unsafe handle else {
            throw SQLiteError(
                code: SQLITE_MISUSE, message: "there is no statement", operation: SQLiteError.summary(of: sql))
        }
        return unsafe Statement(handle, sql: sql, of: self)
    }

    private func opened(for sql: String) throws(SQLiteError) -> OpaquePointer {
        guard let connection = unsafe connection else {
            throw .afterClose(SQLiteError.summary(of: sql))
        }
        return unsafe connection
    }

    private static func error(_ code: Int32, _ operation: String, of connection: OpaquePointer?) -> SQLiteError {
        // A connection's words are about its last failure; they may be about another one than this.
        let isLast = unsafe connection != nil && sqlite3_extended_errcode(connection) & 0xff == code & 0xff
        let words = unsafe isLast ? sqlite3_errmsg(connection) : sqlite3_errstr(code)
        return unsafe SQLiteError(
            code: code, message: words.map { unsafe String(cString: $0) } ?? "", operation: operation)
    }
}
