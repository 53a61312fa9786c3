import MedleyCore
import SQLite

extension StoreConnection {
    /// How much is taken away in one transaction.
    private static let rowsAtOnce = 500

    /// Up to how many bytes a checkpoint is not worth sparing.
    private static let smallCheckpoint = 1 << 20
    /// For how long a large checkpoint is spared though a few old records wait for it, in milliseconds.
    private static let patience: Int64 = 24 * 60 * 60 * 1000

    /// Makes a checkpoint due for each collection that has had a record without one since before `time`, so that old
    /// records can go.
    ///
    /// A large collection with few edits is written once a day only, however short the history is.
    func requireCheckpoints(before time: Int64) {
        for (collection, tail) in tails {
            guard let first = tail.firstUncovered, first.time < time else { continue }
            if tail.checkpointBytes <= max(Self.smallCheckpoint, 64 * tail.uncoveredBytes)
                || first.time < time - Self.patience
            {
                due.insert(collection)
            }
        }
    }

    /// Takes away some records from before `time` that no recovery needs; returns whether there may be more.
    func removeRecords(before time: Int64) throws -> Bool {
        let needed = tails.values.compactMap { $0.firstUncovered?.sequence }.min() ?? lastSequence + 1
        return try removeOldest(of: "records", before: time, sequence: needed)
    }

    /// Takes away some answers from before `time`; returns whether there may be more.
    func removeAnswers(before time: Int64) throws -> Bool {
        try removeOldest(of: "answers", before: time, sequence: lastSequence + 1)
    }

    /// Takes away the oldest rows up to the first that is young: what stays is an end of the history without a gap.
    private func removeOldest(of table: String, before time: Int64, sequence: Int64) throws -> Bool {
        let find = try database.prepare(
            "SELECT sequence, time FROM \(table) WHERE sequence < ? ORDER BY sequence LIMIT \(Self.rowsAtOnce)")
        try find.bind(1, sequence)
        var old: [Int64] = []
        while try find.step(), find.integer(1) < time { old.append(find.integer(0)) }
        find.reset()
        if old.isEmpty { return false }
        let removals = [
            try database.prepare("DELETE FROM \(table) WHERE sequence = ?"),
            try database.prepare("DELETE FROM long_texts WHERE sequence = ?"),
        ]
        try database.transaction { () throws in
            for sequence in old {
                for removal in removals {
                    try removal.bind(1, sequence)
                    try removal.run()
                }
            }
        }
        return old.count == Self.rowsAtOnce
    }

    /// The collections that keep more deletions than `least`, each with the newest revision number whose record is no
    /// longer kept: what was deleted until then is older than the history.
    func expiredNumbers(keeping least: Int) throws(SQLiteError) -> [(collection: String, number: UInt64)] {
        let oldest = try database.prepare(
            "SELECT number FROM records WHERE collection = ? AND lineage = ? ORDER BY sequence LIMIT 1")
        var expired: [(collection: String, number: UInt64)] = []
        for (collection, tail) in tails where tail.snapshot.keptDeletionCount > least {
            try oldest.bind(1, collection)
            try oldest.bind(2, tail.lineage)
            let number =
                try oldest.step()
                ? UInt64(max(oldest.integer(0), 1)) - 1 : tail.snapshot.revision.number
            oldest.reset()
            if number > tail.snapshot.oldestKnownNumber { expired.append((collection, number)) }
        }
        return expired
    }

    /// Takes note of a snapshot that keeps fewer deletions than the one of the same revision that is known.
    func replace(_ collection: String, with snapshot: Snapshot) {
        if tails[collection]?.snapshot.revision == snapshot.revision { tails[collection]?.snapshot = snapshot }
    }
}
