import SQLite

/// A row of the table `records`.
struct StoredRecord {
    let sequence: Int64
    let collection: String
    let lineage: String
    let number: Int64
    let time: Int64
    let action: String
    /// The changes as JSON, wherever they lie; empty for a deletion.
    let changes: [UInt8]

    /// The columns that are read, in their order in the table.
    static let columns = "sequence, collection, lineage, number, time, action, changes, checksum"

    /// The checksum over the whole row.
    var checksum: Int64 {
        var checksum = RowChecksum()
        checksum.add(sequence)
        checksum.add(collection)
        checksum.add(lineage)
        checksum.add(number)
        checksum.add(time)
        checksum.add(action)
        checksum.add(changes)
        return checksum.value
    }
}

extension StoredRecord {
    /// Reads the row at which a statement with `columns` is.
    ///
    /// - Throws: `JournalError` if it is not what was written.
    init(_ statement: Statement, _ recovery: StoreRecovery) throws {
        let sequence = statement.integer(0)
        self.init(
            sequence: sequence, collection: statement.text(1), lineage: statement.text(2), number: statement.integer(3),
            time: statement.integer(4), action: statement.text(5),
            changes: try recovery.text(statement, 6, sequence: sequence))
        guard checksum == statement.integer(7) else { throw damage(StoreRecovery.checksumDiffers) }
    }

    /// Gives a statement that inserts `columns` the row's values; without the changes where they lie elsewhere, or are none.
    func bind(to statement: Statement, hasChanges: Bool) throws {
        try statement.bind(1, sequence)
        try statement.bind(2, collection)
        try statement.bind(3, lineage)
        try statement.bind(4, number)
        try statement.bind(5, time)
        try statement.bind(6, action)
        if hasChanges { try statement.bind(7, text: changes) }
        try statement.bind(8, checksum)
    }

    /// What is damaged of this row.
    func damage(_ what: String) -> JournalError {
        StoreRecovery.damage("record \(sequence) of \(collection)", what)
    }
}
