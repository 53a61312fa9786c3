import SQLite

/// A row of the table `answers`.
struct StoredAnswer {
    let sequence: Int64
    let collection: String
    let caller: String
    let key: String
    let fingerprint: Int64
    let time: Int64
    let status: Int64
    /// The header fields, a line each.
    let headers: String
    /// The body, wherever it lies.
    let body: [UInt8]

    /// The columns that are read, in their order in the table.
    static let columns = "sequence, collection, caller, key, fingerprint, time, status, headers, body, checksum"

    /// The checksum over the whole row.
    var checksum: Int64 {
        var checksum = RowChecksum()
        checksum.add(sequence)
        checksum.add(collection)
        checksum.add(caller)
        checksum.add(key)
        checksum.add(fingerprint)
        checksum.add(time)
        checksum.add(status)
        checksum.add(headers)
        checksum.add(body)
        return checksum.value
    }
}

extension StoredAnswer {
    /// Reads the row at which a statement with `columns` is.
    ///
    /// - Throws: `JournalError` if it is not what was written.
    init(_ statement: Statement, _ recovery: StoreRecovery) throws {
        let sequence = statement.integer(0)
        self.init(
            sequence: sequence, collection: statement.text(1), caller: statement.text(2), key: statement.text(3),
            fingerprint: statement.integer(4), time: statement.integer(5), status: statement.integer(6),
            headers: statement.text(7), body: try recovery.text(statement, 8, sequence: sequence))
        guard checksum == statement.integer(9) else {
            throw StoreRecovery.damage("answer \(sequence)", StoreRecovery.checksumDiffers)
        }
    }

    /// Gives a statement that inserts `columns` the row's values; without the body where it lies elsewhere.
    func bind(to statement: Statement, hasBody: Bool) throws {
        try statement.bind(1, sequence)
        try statement.bind(2, collection)
        try statement.bind(3, caller)
        try statement.bind(4, key)
        try statement.bind(5, fingerprint)
        try statement.bind(6, time)
        try statement.bind(7, status)
        try statement.bind(8, headers)
        if hasBody { try statement.bind(9, text: body) }
        try statement.bind(10, checksum)
    }
}
