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
    /// Collections whose tails are due for a checkpoint.
    var due: Set<String> = []
    /// The checkpoint whose pieces are being written.
    var checkpointUnderWay: Int64?
    /// Whether the last attempt to write failed; set until one works.
    var isFailing = false
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
        for (collection, tail) in tails where tail.isCheckpointDue { due.insert(collection) }
    }

    /// Opens a store's database for its server and makes it one, or takes it to this version, where it must.
    static func open(_ path: String, vfs: String?) throws -> Database {
        // A shell or a backup may hold a lock for a moment.
        let database = try Database(path: path, access: .create, vfs: vfs, busyMilliseconds: 5_000)
        try StoreSchema.prepare(database, path: path)
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA journal_size_limit = \(64 << 20);
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

    /// Keeps a small transaction that takes the place, in the log, of one whose end is not known: what failed cannot come
    /// back with a later recovery.
    func fence() throws {
        try database.transaction { () throws in try database.execute("UPDATE store SET fences = fences + 1") }
    }

    /// Finds out whether edits can be kept, by keeping as many bytes as most of them have.
    func probe() throws {
        do {
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

/// Texts as they lie in a row: a checksum beside them, and in parts where SQLite would not take them whole.
enum StoredText {
    /// The most bytes of a text that is kept in its own row; SQLite's limit for a value is a billion.
    static let wholeByteCount = 256 << 20

    /// The CRC-32 of a text.
    static func checksum(_ text: [UInt8]) -> Int64 { Int64(CRC32.checksum(of: text)) }
}
