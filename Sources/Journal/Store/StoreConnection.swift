import Compression
import MedleyCore
import SQLite

/// The one connection of a store that writes, with what it must know of each collection. Used by one thread at a time.
final class StoreConnection {
    let database: Database
    /// The statements that edits and checkpoints use again and again.
    let statements: Statements
    /// The living collections.
    var tails: [String: CollectionTail]
    /// The sequence number of the newest record or answer.
    var lastSequence: Int64
    /// The time of the newest record or answer, `nil` if there is none: no later one has an earlier time.
    var lastTime: Int64?
    /// Collections whose tails are due for a checkpoint.
    var due: Set<String> = []
    /// The checkpoint whose pieces are being written.
    var checkpointUnderWay: Int64?
    /// Whether the last attempt to write failed; set until one works.
    var isFailing = false
    /// What must still be the files that were opened; `nil` for a database that nobody else can reach yet.
    var files: StoreFiles?
    /// The bytes of a text beyond which it is kept in parts of so many: SQLite's limit for a value is a billion.
    var longTextByteCount = 256 << 20
    /// The system's time in milliseconds since 1970.
    let now: @Sendable () -> Int64

    struct Statements {
        let record: Statement
        let answer: Statement
        let longText: Statement
        let addCollection: Statement
        let removeCollection: Statement
        let removeCheckpoint: Statement
        let piece: Statement
        let checkpoint: Statement

        init(_ database: Database) throws(SQLiteError) {
            record = try database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            answer = try database.prepare("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            longText = try database.prepare("INSERT INTO long_texts VALUES (?, ?, ?)")
            addCollection = try database.prepare("INSERT INTO collections VALUES (?, ?, ?, ?)")
            removeCollection = try database.prepare("DELETE FROM collections WHERE id = ?")
            removeCheckpoint = try database.prepare("DELETE FROM checkpoints WHERE collection = ?")
            piece = try database.prepare("INSERT INTO checkpoint_pieces VALUES (?, ?, ?, ?, ?)")
            checkpoint = try database.prepare("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        }
    }

    init(
        _ database: Database, tails: [String: CollectionTail], lastSequence: Int64, now: @escaping @Sendable () -> Int64
    ) throws(SQLiteError) {
        self.database = database
        self.tails = tails
        self.lastSequence = lastSequence
        self.now = now
        statements = try Statements(database)
        lastTime = try Self.newestTime(database)
        for (collection, tail) in tails where tail.isCheckpointDue { due.insert(collection) }
    }

    /// How long a statement waits for a lock of another process, in milliseconds.
    static let busyMilliseconds: Int32 = 1_000
    /// The size that the log's file is cut back to, in bytes, once what was in it is in the database.
    static let logByteLimit = 64 << 20

    /// Opens a store's database to write it and makes it one, or takes it to this version, where it must.
    ///
    /// - Parameters:
    ///   - access: `.readWrite` for a file that must be there.
    ///   - steps: those to this version.
    static func open(
        _ path: String, access: Database.Access = .create, vfs: String?, steps: [String] = StoreSchema.steps
    ) throws -> Database {
        // A shell or a backup may hold a lock for a moment.
        let database = try Database(path: path, access: access, vfs: vfs, busyMilliseconds: busyMilliseconds)
        try StoreSchema.prepare(database, path: path, steps: steps)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA journal_size_limit = \(logByteLimit);
            PRAGMA cache_size = -16000;
            PRAGMA temp_store = MEMORY;
            PRAGMA trusted_schema = OFF;
            PRAGMA secure_delete = FAST;
            """)
        guard try database.text("PRAGMA journal_mode") == "wal" else {
            throw JournalError("\(path) cannot have a write-ahead log; its file system must allow shared memory")
        }
        return database
    }

    /// The time of the newest record or answer: that of the last of either, since times never go back. O(log n).
    private static func newestTime(_ database: Database) throws(SQLiteError) -> Int64? {
        try database.integer(
            """
            SELECT max(time) FROM (
                SELECT * FROM (SELECT time FROM records ORDER BY sequence DESC LIMIT 1)
                UNION ALL SELECT * FROM (SELECT time FROM answers ORDER BY sequence DESC LIMIT 1))
            """)
    }

    /// Keeps a small transaction that takes the place, in the log, of one whose end is not known: what failed cannot come
    /// back with a later recovery.
    func fence() throws {
        try database.transaction { () throws in try database.execute("UPDATE store SET fences = fences + 1") }
    }

    /// Throws if the files are no longer those that were opened; edits are refused then.
    func checkFiles() throws(JournalError) {
        do throws(JournalError) { try files?.check() } catch {
            isFailing = true
            throw error
        }
    }

    /// Finds out whether edits can be kept, by keeping as many bytes as most of them have.
    func probe() throws {
        do {
            try files?.check()
            for byteCount in [64 << 10, 0] {
                try database.transaction { () throws in
                    try database.execute("UPDATE store SET probe = zeroblob(\(byteCount))")
                }
            }
            isFailing = false
        } catch {
            isFailing = true
            try? fence()
            throw error
        }
    }
}

/// Texts whose checksum lies beside them: a checkpoint's pieces.
enum StoredText {
    /// The CRC-32 of a text.
    static func checksum(_ text: [UInt8]) -> Int64 { Int64(CRC32.checksum(of: text)) }
}
