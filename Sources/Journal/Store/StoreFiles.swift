import SQLite

/// The files of a store that is open, as they were when it was opened.
///
/// A file that is deleted or replaced underneath stays what an open descriptor writes to: edits would go on and be gone with
/// the process. So it is looked at before each batch; that costs three system calls.
struct StoreFiles {
    private let paths: [String]
    private var identities: [FileIdentity?]

    /// Takes note of the files in a folder.
    init(in directory: String) {
        let database = StoreDirectory.databasePath(in: directory)
        paths = [database, StoreDirectory.lockPath(in: directory), database + "-wal"]
        identities = paths.map { FileIdentity(path: $0) }
    }

    /// Takes note of what was not there yet: the log comes with the first write.
    mutating func complete() {
        for index in paths.indices where identities[index] == nil {
            identities[index] = FileIdentity(path: paths[index])
        }
    }

    /// Throws if one of them is no longer there or another.
    func check() throws(JournalError) {
        for (path, identity) in zip(paths, identities) {
            guard let identity, FileIdentity(path: path) != identity else { continue }
            throw JournalError("\(path) was taken away or replaced while it is served; put it back, or start again")
        }
    }
}
