import Glibc

/// A served store as a reader of its database sees it.
struct StoreView {
    let database: PlainDatabase

    init(_ folder: String) throws { database = try PlainDatabase("\(folder)/medley.sqlite", isReadOnly: true) }

    /// The number of a collection's checkpoint; 0 if it has none.
    func checkpoint(of collection: String) throws -> Int64 {
        try database.integers("SELECT id FROM checkpoints WHERE collection = '\(collection)'").first ?? 0
    }

    /// The newest checkpoint that has pieces, finished or not.
    func newestWithPieces() throws -> Int64 {
        try database.integers("SELECT max(checkpoint) FROM checkpoint_pieces").first ?? 0
    }

    /// Whether a checkpoint has pieces.
    func hasPieces(_ checkpoint: Int64) throws -> Bool {
        try !database.integers("SELECT 1 FROM checkpoint_pieces WHERE checkpoint = \(checkpoint) LIMIT 1").isEmpty
    }

    /// Whether a checkpoint is under way or an old one not cleared away.
    func hasLoosePieces() throws -> Bool {
        try !database.integers(
            "SELECT 1 FROM checkpoint_pieces WHERE checkpoint NOT IN (SELECT id FROM checkpoints) LIMIT 1"
        ).isEmpty
    }

    /// Pages of the file, and those of them that are free.
    func pages() throws -> (all: Int, free: Int) {
        let all = try database.integers("PRAGMA page_count").first ?? 0
        return (Int(all), Int(try database.integers("PRAGMA freelist_count").first ?? 0))
    }

    /// Whether so much is free that it goes back to the file system: as docs/journal.md has it.
    func hasSpaceToRelease() throws -> Bool {
        let pages = try pages()
        return pages.free > 1_000 && pages.free > pages.all / 8
    }

    /// How much of a collection its checkpoint does not cover, and the bytes of the checkpoint.
    func uncovered(of collection: String) throws -> (records: Int, bytes: Int, checkpointBytes: Int) {
        let numbers = try database.integers(
            """
            SELECT count(*), sum(length(CAST(changes AS BLOB))) FROM records WHERE collection = '\(collection)'
            AND sequence > coalesce((SELECT sequence FROM checkpoints WHERE collection = '\(collection)'), 0)
            """)
        let checkpoint = try database.integers("SELECT bytes FROM checkpoints WHERE collection = '\(collection)'")
        return (Int(numbers[0]), Int(numbers[1]), Int(checkpoint.first ?? 0))
    }

    /// Waits until a collection has a checkpoint and nothing is written or cleared away any more.
    func waitForCheckpoint(of collection: String, within limit: Double = 120) throws {
        let start = nanoseconds()
        var quiet = 0
        while quiet < 10 {
            guard seconds(since: start) < limit else { throw BenchmarkError("no checkpoint within \(limit) s") }
            let isDone = try checkpoint(of: collection) > 0 && !hasLoosePieces()
            quiet = isDone ? quiet + 1 : 0
            usleep(100_000)
        }
    }
}
