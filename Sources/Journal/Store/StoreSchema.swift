import SQLite

/// The tables of a store, and how one of an older version becomes one of this.
///
/// `docs/journal.md` says what each column holds.
enum StoreSchema {
    /// `PRAGMA application_id` of a store: "Medl".
    static let applicationID: Int64 = 0x4D65_646C

    /// `steps[n]` takes a store from version n to n + 1; an empty file is of version 0. A step that was released is never
    /// changed.
    static let steps = [tables]

    private static let tables = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            fences INTEGER NOT NULL,
            probe BLOB NOT NULL
        ) STRICT;
        INSERT INTO store VALUES (1, 0, x'');
        CREATE TABLE collections (
            id TEXT NOT NULL PRIMARY KEY,
            lineage TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            lineage TEXT NOT NULL,
            number INTEGER NOT NULL,
            time INTEGER NOT NULL,
            action TEXT NOT NULL CHECK (action IN ('create', 'edit', 'delete')),
            changes TEXT,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX records_by_collection ON records (collection, sequence);
        CREATE TABLE answers (
            sequence INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            caller TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint INTEGER NOT NULL,
            time INTEGER NOT NULL,
            status INTEGER NOT NULL,
            headers TEXT NOT NULL,
            body TEXT,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE long_texts (
            sequence INTEGER NOT NULL,
            part INTEGER NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (sequence, part)
        ) STRICT;
        CREATE TABLE checkpoints (
            id INTEGER PRIMARY KEY,
            collection TEXT NOT NULL UNIQUE,
            lineage TEXT NOT NULL,
            number INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            time INTEGER NOT NULL,
            pieces INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE checkpoint_pieces (
            checkpoint INTEGER NOT NULL,
            piece INTEGER NOT NULL,
            kind TEXT NOT NULL,
            content TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (checkpoint, piece)
        ) STRICT;
        CREATE VIEW history AS
            SELECT sequence, collection, lineage || '-' || number AS revision,
                strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS time, action, changes
            FROM records;
        """

    /// Makes a new file a store, or takes an older store to this version, all in one transaction.
    ///
    /// - Throws: `JournalError` for a file that is no store of Medley, or one from a newer version.
    static func prepare(_ database: Database, path: String, steps: [String] = steps) throws {
        let version = try database.integer("PRAGMA user_version") ?? 0
        let application = try database.integer("PRAGMA application_id") ?? 0
        let isNew = try version == 0 && application == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard isNew || application == applicationID else {
            throw JournalError("\(path) is a database of another program")
        }
        guard version >= 0 else { throw JournalError("\(path) is damaged: its version is \(version)") }
        if try database.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") != 0 {
            throw JournalError("\(path) has triggers, which are not Medley's; drop them")
        }
        if version > steps.count {
            throw JournalError(
                "\(path) was written by a newer version of Medley (store version \(version); this one knows \(steps.count))"
            )
        }
        if version == steps.count { return }
        if isNew {
            // Takes effect only before there is a table; it lets freed pages go back to the file system bit by bit.
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        try database.transaction { () throws in
            for step in steps[Int(version)...] { try database.execute(step) }
            try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
        }
    }
}
