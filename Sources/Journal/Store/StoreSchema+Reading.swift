import SQLite

extension StoreSchema {
    /// Opens a database to read it.
    ///
    /// - Parameters:
    ///   - vfs: the name of a registered SQLite VFS; `nil` for the system's.
    ///   - takesOlder: whether a store of an older version will do.
    ///   - steps: those to this version.
    /// - Throws: `JournalError` for a file that is no store, or one of another version.
    static func openToRead(
        _ path: String, vfs: String? = nil, takesOlder: Bool = false, steps: [String] = steps
    ) throws -> Database {
        let database = try Database(path: path, access: .readOnly, vfs: vfs, busyMilliseconds: 5_000)
        let application = try application(of: database, path)
        guard application == applicationID else { throw JournalError("\(path) is no store of Medley") }
        let version = try database.integer("PRAGMA user_version") ?? 0
        if version > steps.count { throw JournalError("\(path) was written by a newer version of Medley") }
        if version < steps.count, !takesOlder {
            throw JournalError(
                "\(path) was written by an older version of Medley; medley serve takes a store to this version where "
                    + "it is, and clients' revisions stay good; medley restore makes a new one of it, for which they do not"
            )
        }
        return database
    }

    private static func application(of database: Database, _ path: String) throws -> Int64? {
        do throws(SQLiteError) { return try database.integer("PRAGMA application_id") } catch {
            guard error.isNoDatabase else { throw error }
            throw JournalError("\(path) is no store of Medley, or not all of it: \(error.message)")
        }
    }
}
