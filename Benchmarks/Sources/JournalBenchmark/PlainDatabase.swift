import CPlainSQLite

/// SQLite with nothing around it.
final class PlainDatabase {
    private var connection: OpaquePointer?
    private var statements: [OpaquePointer] = []

    init(_ path: String, isReadOnly: Bool = false) throws {
        let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &connection, flags | SQLITE_OPEN_NOMUTEX, nil)
        sqlite3_busy_timeout(connection, 5_000)
        try check(code)
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
            throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
        }
    }

    func execute(_ sql: String) throws { try check(sqlite3_exec(connection, sql, nil, nil, nil)) }

    /// Compiles a statement, which lives as long as the connection.
    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw BenchmarkError("there is no statement in \(sql)") }
        statements.append(statement)
        return statement
    }

    /// The numbers of the first row; NULL is 0.
    func integers(_ sql: String) throws -> [Int64] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        let code = sqlite3_step(statement)
        try check(code)
        guard code == SQLITE_ROW else { return [] }
        return (0..<sqlite3_column_count(statement)).map { sqlite3_column_int64(statement, $0) }
    }

    /// The text of the first row's first column.
    func text(_ sql: String) throws -> String {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        try check(sqlite3_step(statement))
        return sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
    }

    /// Runs a statement that gives no rows, with numbers and texts bound in their order.
    func run(_ statement: OpaquePointer, _ values: [Value]) throws {
        for (index, value) in values.enumerated() {
            switch value {
            case .integer(let number): try check(sqlite3_bind_int64(statement, Int32(index + 1), number))
            case .text(let text):
                try check(sqlite3_bind_text(statement, Int32(index + 1), text, -1, plain_sqlite3_transient()))
            }
        }
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        try check(code)
    }

    enum Value {
        case integer(Int64)
        case text(String)
    }
}
