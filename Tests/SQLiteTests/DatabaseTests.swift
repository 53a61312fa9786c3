import SQLite
import Testing

@Suite struct DatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func made(_ sql: String = "CREATE TABLE t (a UNIQUE)") throws -> Database {
        let database = try Database(path: folder.path("a.db"), access: .create)
        try database.execute(sql)
        return database
    }

    @Test func integerAndTextGiveTheFirstColumnOfTheFirstRow() throws {
        let database = try made("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        #expect(try database.integer("SELECT a, b FROM t ORDER BY a DESC") == 2)
        #expect(try database.text("SELECT b, a FROM t ORDER BY a") == "x")
        #expect(try database.integer("SELECT a FROM t WHERE a > 2") == nil)
        #expect(try database.text("SELECT NULL") == nil)
        #expect(try database.integer("SELECT NULL") == nil)
    }

    @Test func aFileIsMadeOnlyWhenAsked() throws {
        for access in [Database.Access.readWrite, .readOnly] {
            let error = #expect(throws: SQLiteError.self) {
                try Database(path: folder.path("none.db"), access: access)
            }
            #expect(error?.code == 14)
            #expect(error?.operation == "open \(folder.path("none.db"))")
            #expect(error?.message == "unable to open database file")
        }
        #expect(!folder.holds("none.db"))
    }

    @Test(arguments: ["", "a\0b"])
    func aPathThatNamesNoFileIsRefused(path: String) {
        #expect(throws: SQLiteError.self) { try Database(path: path, access: .create) }
    }

    @Test func aPathIsNeverAURI() {
        let error = #expect(throws: SQLiteError.self) {
            try Database(path: "file:none?mode=memory", access: .readWrite)
        }
        #expect(error?.code == 14)
    }

    @Test func anUnknownVFSIsAnError() {
        let error = #expect(throws: SQLiteError.self) {
            try Database(path: folder.path("a.db"), access: .create, vfs: "none")
        }
        #expect(error?.message == "no such vfs: none")
    }

    @Test func whatIsReadOnlyTakesNoWrite() throws {
        try made().close()
        let database = try Database(path: folder.path("a.db"), access: .readOnly)
        let error = #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (1)") }
        #expect(error.map { $0.code & 0xFF } == 8)
        #expect(try database.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func whatIsNoDatabaseIsCorrupt() throws {
        try folder.write(Array(repeating: 65, count: 4_096), to: "a.db")
        let error = #expect(throws: SQLiteError.self) { try made() }
        #expect(error?.isCorrupt == true)
    }

    @Test func aLockOfAnotherConnectionIsBusy() throws {
        let one = try made()
        try one.execute("BEGIN IMMEDIATE")
        let other = try Database(path: folder.path("a.db"), access: .readWrite)
        let error = #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
        #expect(error.map { $0.code & 0xFF } == 5)
        try one.execute("COMMIT")
        try other.execute("BEGIN IMMEDIATE; COMMIT")
    }

    @Test func errorsCarryTheExtendedCodeTheTextAndTheStatement() throws {
        let database = try made()
        let sql = "INSERT INTO t\n    VALUES (7)"
        try database.execute(sql)
        let error = try #require(throws: SQLiteError.self) { try database.execute(sql) }
        #expect(error.code == 2_067)
        #expect(error.message == "UNIQUE constraint failed: t.a")
        #expect(error.operation == "INSERT INTO t VALUES (7)")
        #expect(error.description == "INSERT INTO t VALUES (7): UNIQUE constraint failed: t.a (SQLite's code 2067)")
        #expect(!error.isCorrupt)

        let statement = try database.prepare("INSERT INTO t VALUES (?)")
        try statement.bind(1, 7)
        let second = #expect(throws: SQLiteError.self) { try statement.run() }
        #expect(second?.code == 2_067)
        #expect(second?.message == "UNIQUE constraint failed: t.a")
    }

    @Test(arguments: ["SELEC 1", "SELECT x", "SELECT 'a", "", "  -- nothing"])
    func whatIsNoStatementIsNotPrepared(sql: String) throws {
        let database = try made()
        let error = #expect(throws: SQLiteError.self) { try database.prepare(sql) }
        #expect(error?.message.isEmpty == false)
    }

    @Test func aLongStatementIsCutShortInErrors() throws {
        let error = #expect(throws: SQLiteError.self) {
            try made().execute("SELECT x, " + String(repeating: "y", count: 1_000))
        }
        #expect(error?.operation.count == 80)
        #expect(error?.operation.hasPrefix("SELECT x, yyy") == true)
    }

    @Test func closingFinalizesStatementsAndGivesUpTheFile() throws {
        let database = try made("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let statement = try database.prepare("SELECT a FROM t")
        #expect(try statement.step())
        #expect(folder.holds("a.db-wal"))
        try database.close()
        // The last connection takes the log away, which it cannot while a statement reads.
        #expect(!folder.holds("a.db-wal"))
        try database.close()

        let uses: [() throws -> Void] = [
            { _ = try statement.step() },
            { try statement.bind(1, 1) },
            { try statement.bind(1, "") },
            { try statement.bind(1, blob: [1]) },
            { try database.execute("SELECT 1") },
            { _ = try database.prepare("SELECT 1") },
        ]
        for use in uses {
            let error = #expect(throws: SQLiteError.self) { try use() }
            #expect(error?.code == 21)
            #expect(error?.message == "the connection is closed")
        }
        statement.reset()
        #expect(statement.isNull(0) && statement.text(0).isEmpty && statement.bytes(0).isEmpty)
        #expect(statement.integer(0) == 0)
        #expect(!database.isInTransaction)
    }

    @Test func aConnectionThatIsLetGoIsClosedWithItsLastStatement() throws {
        var statement: Statement? = try {
            let database = try made("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
            return try database.prepare("INSERT INTO t VALUES (1)")
        }()
        try statement?.run()
        #expect(folder.holds("a.db-wal"))
        statement = nil
        #expect(!folder.holds("a.db-wal"))
    }
}
