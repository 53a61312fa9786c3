import CFaultyVFS
import SQLite
import Testing

/// What the tests of stores rest on: a VFS that fails when told to.
@Suite final class FaultyVFSTests {
    private let folder: TemporaryFolder
    private let vfs: Int32

    init() throws {
        folder = try TemporaryFolder()
        vfs = faulty_vfs_register()
        try #require(vfs > 0)
    }

    deinit { faulty_vfs_unregister(vfs) }

    private func opened(_ access: Database.Access = .create) throws -> Database {
        try Database(path: folder.path("a.db"), access: access, vfs: "faulty-\(vfs)")
    }

    private func made(mode: String = "WAL") throws -> Database {
        let database = try opened()
        try database.execute("PRAGMA journal_mode = \(mode); PRAGMA synchronous = FULL; CREATE TABLE t (a)")
        return database
    }

    private func count(_ database: Database) throws -> Int64? { try database.integer("SELECT count(*) FROM t") }

    @Test(arguments: ["WAL", "DELETE", "TRUNCATE"])
    func withoutAPlanNothingFails(mode: String) throws {
        let database = try made(mode: mode)
        #expect(try database.text("PRAGMA journal_mode") == mode.lowercased())
        for _ in 0..<10 { try database.execute("INSERT INTO t VALUES (randomblob(10000))") }
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE); VACUUM")
        try database.close()
        let again = try opened()
        #expect(try count(again) == 10)
        #expect(try again.text("PRAGMA integrity_check") == "ok")
        try again.close()
        #expect(faulty_vfs_calls(vfs) > 100)
        #expect(faulty_vfs_failures(vfs) == 0)
        #expect(faulty_vfs_calls_of(vfs, FAULTY_OPEN) >= 4)
        #expect(faulty_vfs_calls_of(vfs, FAULTY_SYNC) >= 10)
    }

    /// A statement that makes a call of each kind, with the code that must come of it.
    struct Kind: Sendable, CustomTestStringConvertible {
        let kind: UInt32
        let statement: String
        let code: Int32
        var testDescription: String { "\(kind): \(statement)" }
    }

    @Test(arguments: [
        Kind(kind: FAULTY_READ.rawValue, statement: "SELECT * FROM t", code: 266),
        Kind(kind: FAULTY_WRITE.rawValue, statement: "INSERT INTO t VALUES (1)", code: 778),
        Kind(kind: FAULTY_SYNC.rawValue, statement: "INSERT INTO t VALUES (1)", code: 1_034),
        Kind(kind: FAULTY_TRUNCATE.rawValue, statement: "VACUUM", code: 1_546),
        Kind(kind: FAULTY_FILE_SIZE.rawValue, statement: "SELECT * FROM t", code: 1_802),
        Kind(kind: FAULTY_DELETE.rawValue, statement: "INSERT INTO t VALUES (1)", code: 2_570),
        Kind(kind: FAULTY_ACCESS.rawValue, statement: "SELECT * FROM t", code: 3_338),
        Kind(kind: FAULTY_LOCK.rawValue, statement: "SELECT * FROM t", code: 3_850),
        Kind(kind: FAULTY_OPEN.rawValue, statement: "INSERT INTO t VALUES (1)", code: 14),
    ])
    func eachKindOfCallFails(kind: Kind) throws {
        let setUp = try made(mode: "DELETE")
        for _ in 0..<10 { try setUp.execute("INSERT INTO t VALUES (randomblob(10000))") }
        try setUp.execute("DELETE FROM t WHERE rowid > 2")
        try setUp.close()

        let database = try opened()
        try database.execute("PRAGMA synchronous = FULL")
        faulty_vfs_reset(vfs)
        faulty_vfs_fail_kind_at(vfs, faulty_vfs_kind(rawValue: kind.kind), 1, 0, 0)
        let error = #expect(throws: SQLiteError.self) { try database.execute(kind.statement) }
        #expect(error?.code == kind.code)
        #expect(faulty_vfs_failures(vfs) == 1)
        #expect(faulty_vfs_failed_kind(vfs).rawValue == kind.kind)

        // It was one call.
        try database.execute(kind.statement)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
        try database.close()
    }

    @Test func everyCallOfAnInsertCanFailAndNoneLeavesHalfOfIt() throws {
        let database = try made()
        try database.execute("INSERT INTO t VALUES (0)")
        try database.close()
        var isOver = false
        var call = 0
        while !isOver {
            call += 1
            let before = try count(opened())
            faulty_vfs_reset(vfs)
            faulty_vfs_fail_at(vfs, call, 1, 0)
            var isDone = false
            do {
                let database = try opened()
                try database.execute("PRAGMA synchronous = FULL; INSERT INTO t VALUES (randomblob(9000))")
                isDone = true
                isOver = faulty_vfs_failures(vfs) == 0
                try database.close()
            } catch {
                #expect(error is SQLiteError)
            }
            faulty_vfs_heal(vfs)
            let after = try opened()
            let added = try (count(after) ?? 0) - (before ?? 0)
            #expect(isDone ? added == 1 : (0...1).contains(added), "call \(call)")
            #expect(try after.text("PRAGMA integrity_check") == "ok")
        }
        #expect(call > 10)
    }

    @Test func whatFailsForGoodFailsUntilItHeals() throws {
        let database = try made()
        faulty_vfs_fail_at(vfs, faulty_vfs_calls(vfs) + 1, 1, 0)
        for _ in 0..<3 {
            #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (1)") }
        }
        faulty_vfs_heal(vfs)
        try database.execute("INSERT INTO t VALUES (1)")
        #expect(try count(database) == 1)
        try database.close()
    }

    @Test func aCodeThatIsAskedForIsGiven() throws {
        let database = try made()
        let next = faulty_vfs_calls(vfs) + 1
        // SQLITE_FULL, and SQLITE_IOERR_DATA; SQLite makes others of some codes
        for code in [13, 8_202] as [Int32] {
            faulty_vfs_fail_at(vfs, next, 1, code)
            let error = #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (1)") }
            #expect(error?.code == code)
        }
        faulty_vfs_fail_at(vfs, next, 1, 13)
        #expect(try count(database) == 0)
        faulty_vfs_heal(vfs)
        try database.close()
    }

    @Test func aFullDiskTakesNothingMoreUntilThereIsRoom() throws {
        let database = try made()
        faulty_vfs_set_room(vfs, 100_000)
        var written = 0
        let error = #expect(throws: SQLiteError.self) {
            while true {
                try database.execute("INSERT INTO t VALUES (randomblob(3000))")
                written += 1
            }
        }
        #expect(error.map { $0.code & 0xFF } == 13)
        #expect((5..<25).contains(written))
        #expect(!database.isInTransaction)
        #expect(try count(database) == Int64(written))
        #expect(faulty_vfs_failed_kind(vfs) == FAULTY_WRITE)
        faulty_vfs_heal(vfs)
        try database.execute("INSERT INTO t VALUES (randomblob(3000))")
        #expect(try count(database) == Int64(written) + 1)
        try database.close()
    }

    @Test func whatIsTakenAwayIsRoomAgain() throws {
        let database = try made()
        try database.execute("INSERT INTO t VALUES (randomblob(200000)); PRAGMA wal_checkpoint")
        faulty_vfs_set_room(vfs, 0)
        // The log starts over, and so writes where there is room.
        try database.execute("INSERT INTO t VALUES (1)")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try database.execute("INSERT INTO t VALUES (2)")
        #expect(try count(database) == 3)
        try database.close()
    }

    @Test func whoWasCutOffStaysSo() throws {
        let database = try made()
        try database.execute("INSERT INTO t VALUES (1)")
        faulty_vfs_cut(vfs, 1)
        #expect(throws: SQLiteError.self) { try self.count(database) }
        #expect(throws: SQLiteError.self) { try self.opened().execute("SELECT * FROM t") }
        faulty_vfs_reset(vfs)
        #expect(throws: SQLiteError.self) { try self.count(database) }
        #expect(throws: SQLiteError.self) { try database.execute("INSERT INTO t VALUES (1)") }
        try database.close()
        let again = try opened()
        #expect(try count(again) == 1)
        try again.close()
    }
}
