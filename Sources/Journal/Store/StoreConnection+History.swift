import MedleyCore
import SQLite

extension StoreConnection {
    /// How much is taken away in one transaction.
    private static let rowsAtOnce = 500

    /// Makes a checkpoint due for each collection that has had a record without one since before `time`, so that old
    /// records can go.
    func requireCheckpoints(before time: Int64) {
        for (collection, tail) in tails {
            if let first = tail.firstUncovered, first.time < time { due.insert(collection) }
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

    private func removeOldest(of table: String, before time: Int64, sequence: Int64) throws -> Bool {
        let find = try database.prepare(
            "SELECT sequence FROM \(table) WHERE sequence < ? AND time < ? ORDER BY sequence LIMIT \(Self.rowsAtOnce)")
        try find.bind(1, sequence)
        try find.bind(2, time)
        var old: [Int64] = []
        while try find.step() { old.append(find.integer(0)) }
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
                ? UInt64(bitPattern: oldest.integer(0)) - 1 : tail.snapshot.revision.number
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
