import MedleyCore
import MedleyJSON
import SQLite

extension StoreConnection {
    /// An edit's record as its row will be.
    private struct Row {
        let record: JournalRecord
        /// `nil` if the edit changed nothing and only its answer is kept.
        let action: Action?
        let changes: [UInt8]
        let sequence: Int64
        let answerSequence: Int64
    }

    /// What an edit does to a collection: the column `action`.
    enum Action: String {
        case create, edit, delete
    }

    /// Keeps a batch with one sync, or throws and keeps nothing.
    func append(_ records: [JournalRecord]) throws {
        try checkFiles()
        var sequence = lastSequence
        var rows: [Row] = []
        for record in records {
            let action = Action(record)
            let changes = try Self.changes(of: record, action)
            if action != nil { sequence += 1 }
            let own = sequence
            if record.key != nil { sequence += 1 }
            rows.append(Row(record: record, action: action, changes: changes, sequence: own, answerSequence: sequence))
        }
        // A clock that went back must not make later edits look older: what is old is always a beginning of the history.
        let time = max(now(), lastTime ?? .min)
        do {
            try database.transaction { () throws in
                for row in rows {
                    if let action = row.action { try insert(row, action, time) }
                    if let key = row.record.key { try insert(row.record, key, row.answerSequence, time) }
                }
            }
        } catch {
            // What is wrong with one batch says nothing about the next.
            if (error as? SQLiteError)?.isOfStatement != true {
                isFailing = true
                // Who could not even begin has written nothing.
                if (error as? SQLiteError)?.isBusy != true { try? fence() }
            }
            throw error
        }
        isFailing = false
        files?.complete()
        lastSequence = sequence
        lastTime = time
        for row in rows { count(row, time) }
    }

    /// The net changes of a record, as JSON: what makes the snapshot after out of the one before.
    private static func changes(of record: JournalRecord, _ action: Action?) throws(JournalError) -> [UInt8] {
        switch action {
        case nil, .delete: return []
        case .create: return ChangeEncoder.encoded(record.made?.changesFromNothing() ?? [])
        case .edit:
            guard case .changes(let changes) = record.made?.changes(since: record.previous?.revision.number ?? 0)
            else { throw JournalError("the changes to \(record.collection) are not known") }
            return ChangeEncoder.encoded(changes)
        }
    }

    private func insert(_ row: Row, _ action: Action, _ time: Int64) throws {
        let collection = row.record.collection
        guard let revision = (row.record.snapshot ?? row.record.previous)?.revision else { return }
        let isLong = row.changes.count > longTextByteCount
        let stored = StoredRecord(
            sequence: row.sequence, collection: collection, lineage: revision.lineage,
            number: Int64(bitPattern: revision.number), time: time, action: action.rawValue, changes: row.changes)
        let statement = statements.record
        try stored.bind(to: statement, hasChanges: action != .delete && !isLong)
        try statement.run()
        if isLong { try insert(longText: row.changes, row.sequence) }

        switch action {
        case .create:
            try statements.addCollection.bind(1, collection)
            try statements.addCollection.bind(2, revision.lineage)
            try statements.addCollection.bind(3, row.sequence)
            try statements.addCollection.bind(4, time)
            try statements.addCollection.run()
        case .delete:
            for statement in [statements.removeCollection, statements.removeCheckpoint] {
                try statement.bind(1, collection)
                try statement.run()
            }
        case .edit: break
        }
    }

    private func insert(
        _ record: JournalRecord, _ key: IdempotencyKey, _ sequence: Int64, _ time: Int64
    ) throws {
        let answer = record.answer
        let isLong = answer.body.count > longTextByteCount
        let stored = StoredAnswer(
            sequence: sequence, collection: record.collection, caller: key.caller, key: key.value,
            fingerprint: Int64(bitPattern: key.fingerprint), time: time, status: Int64(answer.status),
            headers: answer.headers.map { "\($0.name): \($0.value)\n" }.joined(), body: answer.body)
        let statement = statements.answer
        try stored.bind(to: statement, hasBody: !isLong)
        try statement.run()
        if isLong { try insert(longText: answer.body, sequence) }
    }

    private func insert(longText text: [UInt8], _ sequence: Int64) throws(SQLiteError) {
        for (part, start) in stride(from: 0, to: text.count, by: longTextByteCount).enumerated() {
            try statements.longText.bind(1, sequence)
            try statements.longText.bind(2, Int64(part))
            try statements.longText.bind(
                3, blob: Array(text[start..<min(start + longTextByteCount, text.count)]))
            try statements.longText.run()
        }
    }

    /// Takes note of a row that is durable.
    private func count(_ row: Row, _ time: Int64) {
        guard row.action != nil else { return }
        let collection = row.record.collection
        guard let snapshot = row.record.snapshot else {
            tails[collection] = nil
            due.remove(collection)
            return
        }
        var tail: CollectionTail
        if row.action == .edit, let known = tails[collection] {
            tail = known
        } else {
            tail = CollectionTail(lineage: snapshot.revision.lineage, snapshot: snapshot, sequence: row.sequence)
        }
        tail.snapshot = snapshot
        tail.count(sequence: row.sequence, time: time, byteCount: row.changes.count)
        if tail.isCheckpointDue { due.insert(collection) }
        tails[collection] = tail
    }
}

extension StoreConnection.Action {
    /// What a record does, `nil` if nothing: an edit without effect whose answer is to be kept.
    init?(_ record: JournalRecord) {
        switch (record.previous, record.snapshot) {
        case (nil, nil): return nil
        case (nil, .some): self = .create
        case (.some, nil): self = .delete
        case (let previous?, let snapshot?):
            if previous.revision == snapshot.revision { return nil }
            self = .edit
        }
    }
}
