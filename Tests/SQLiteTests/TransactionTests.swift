import SQLite
import Testing

@Suite struct TransactionTests {
    private let database: Database

    init() throws {
        database = try Database(path: ":memory:", access: .create)
        try database.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE t (a INTEGER PRIMARY KEY);
            CREATE TABLE child (a REFERENCES t DEFERRABLE INITIALLY DEFERRED)
            """)
    }

    private struct Refusal: Error {}

    private var count: Int64? {
        get throws { try database.integer("SELECT (SELECT count(*) FROM t) + (SELECT count(*) FROM child)") }
    }

    @Test func whatItDidStaysAndItsResultIsGiven() throws {
        let result = try database.transaction {
            #expect(database.isInTransaction)
            try database.execute("INSERT INTO t VALUES (1)")
            return "done"
        }
        #expect(result == "done")
        #expect(!database.isInTransaction)
        #expect(try count == 1)
    }

    @Test func anErrorTakesBackWhatItDid() throws {
        #expect(throws: Refusal.self) {
            try database.transaction {
                try database.execute("INSERT INTO t VALUES (1)")
                throw Refusal()
            }
        }
        #expect(!database.isInTransaction)
        #expect(try count == 0)
    }

    @Test func aCommitThatFailsTakesBackWhatItDid() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { try database.execute("INSERT INTO child VALUES (9)") }
        }
        #expect(error?.operation == "COMMIT")
        #expect(error.map { $0.code & 0xFF } == 19)
        #expect(!database.isInTransaction)
        #expect(try count == 0)
    }

    @Test func aBodyThatEndsTheTransactionGetsTheErrorOfTheCommit() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction("BEGIN") { try database.execute("ROLLBACK") }
        }
        #expect(error?.operation == "COMMIT")
        #expect(!database.isInTransaction)
    }

    @Test func oneInAnotherIsRefusedAndNeitherStays() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction {
                try database.execute("INSERT INTO t VALUES (1)")
                try database.transaction { try database.execute("INSERT INTO t VALUES (2)") }
            }
        }
        #expect(error?.operation == "BEGIN IMMEDIATE")
        #expect(try count == 0)
    }
}
