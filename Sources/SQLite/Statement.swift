import CSQLite

/// A compiled statement of a connection, which it keeps alive.
///
/// Bind, step, read the row's columns, reset. Parameters count from 1, columns from 0. It is used like its connection, by
/// one thread at a time. Bytes that are bound are kept, not copied, until they are bound anew or the statement is reset.
@safe package final class Statement {
    private let statement: OpaquePointer
    private let sql: String
    private let database: Database
    /// What is bound without a copy, by parameter: SQLite has pointers into these arrays.
    private var bound: [[UInt8]?]
    private var hasBound = false

    /// Takes over a handle from SQLite, which must come from the connection.
    init(_ statement: OpaquePointer, sql: String, of database: Database) {
        unsafe self.statement = unsafe statement
        self.sql = sql
        self.database = database
        bound = Array(repeating: nil, count: Int(unsafe sqlite3_bind_parameter_count(statement)))
    }

    deinit {
        // Closing the connection has finalized it.
        if database.isOpen { unsafe sqlite3_finalize(statement) }
    }

    // MARK: Parameters

    /// Binds a number, or NULL.
    package func bind(_ index: Int32, _ value: Int64?) throws(SQLiteError) {
        try checkOpen()
        if let value {
            try check(unsafe sqlite3_bind_int64(statement, index, value))
        } else {
            try check(unsafe sqlite3_bind_null(statement, index))
        }
    }

    /// Binds text, or NULL. SQLite copies the text. O(bytes).
    package func bind(_ index: Int32, _ text: String?) throws(SQLiteError) {
        try checkOpen()
        guard var text else { return try check(unsafe sqlite3_bind_null(statement, index)) }
        let code = text.withUTF8 { utf8 in
            // A null pointer would bind NULL.
            unsafe utf8.isEmpty
                ? sqlite3_bind_text(statement, index, "", 0, sqlite3_transient_destructor())
                : sqlite3_bind_text64(
                    statement, index, utf8.baseAddress, UInt64(utf8.count), sqlite3_transient_destructor(),
                    UInt8(SQLITE_UTF8))
        }
        try check(code)
    }

    /// Binds text that is UTF-8 already, without a copy. O(1).
    package func bind(_ index: Int32, text utf8: [UInt8]) throws(SQLiteError) {
        guard !utf8.isEmpty else { return try bind(index, "") }
        try checkOpen()
        let code = unsafe utf8.withUnsafeBufferPointer { utf8 in
            unsafe sqlite3_bind_text64(
                statement, index, utf8.baseAddress, UInt64(utf8.count), nil, UInt8(SQLITE_UTF8))
        }
        try check(code)
        keep(utf8, at: index)
    }

    /// Binds bytes, or NULL, without a copy. O(1).
    package func bind(_ index: Int32, blob: [UInt8]?) throws(SQLiteError) {
        try checkOpen()
        guard let blob else { return try check(unsafe sqlite3_bind_null(statement, index)) }
        // A null pointer would bind NULL.
        guard !blob.isEmpty else { return try check(unsafe sqlite3_bind_zeroblob(statement, index, 0)) }
        let code = unsafe blob.withUnsafeBufferPointer { blob in
            unsafe sqlite3_bind_blob64(statement, index, blob.baseAddress, UInt64(blob.count), nil)
        }
        try check(code)
        keep(blob, at: index)
    }

    // SAFETY: SQLite keeps the array's address after the closure that gave it (a null destructor says that the bytes stay).
    // An array's bytes lie in an object on the heap that moves only when the array is mutated; this reference keeps the
    // object alive, and makes every mutation elsewhere copy first. It is dropped only after SQLite has let go of it:
    // when the parameter is bound anew, on reset, and with the statement.
    private func keep(_ bytes: [UInt8], at index: Int32) {
        bound[Int(index) - 1] = bytes
        hasBound = true
    }

    // MARK: Running

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one. After `false`, and after an error, the statement wants a reset.
    package func step() throws(SQLiteError) -> Bool {
        try checkOpen()
        let code = unsafe sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(code, in: sql)
        }
    }

    /// Runs to the end, passing over rows, and resets, after an error too.
    package func run() throws(SQLiteError) {
        defer { reset() }
        while try step() {}
    }

    /// Makes the statement ready to run again, with every parameter NULL; what was bound is let go.
    package func reset() {
        guard database.isOpen else { return }
        // The code is that of the last step, which has thrown it.
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
        if hasBound {
            for index in bound.indices { bound[index] = nil }
            hasBound = false
        }
    }

    // MARK: Columns

    /// The number in a column of the row, by SQLite's rules for what is none: NULL is 0.
    package func integer(_ column: Int32) -> Int64 {
        guard database.isOpen else { return 0 }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// Whether a column of the row is NULL.
    package func isNull(_ column: Int32) -> Bool {
        guard database.isOpen else { return true }
        return unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    /// The text in a column of the row; NULL is empty, and what is not UTF-8 is repaired. O(bytes).
    package func text(_ column: Int32) -> String {
        guard database.isOpen, let start = unsafe sqlite3_column_text(statement, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of the text or blob in a column of the row; NULL is empty. Copied once: O(bytes).
    package func bytes(_ column: Int32) -> [UInt8] {
        guard database.isOpen, let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    // MARK: Errors

    private func checkOpen() throws(SQLiteError) {
        guard database.isOpen else { throw .afterClose(SQLiteError.summary(of: sql)) }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw database.error(code, in: sql) }
    }
}
