import MedleyJSON

extension StoreKeeper {
    /// How many deletions are forgotten while edits wait.
    static let deletionsAtOnce = 5_000

    /// Takes all checkpoints that are due. What stops half-way leaves nothing behind as far as the disk allows that.
    func takeCheckpoints() throws(JournalError) {
        // What an earlier attempt could not take away may be the room that this one needs.
        try removeGarbage()
        while !isStopped, let job = try journal.perform({ connection throws in try connection.beginCheckpoint() }) {
            do throws(JournalError) {
                guard try write(job) else {
                    try journal.perform { connection throws in connection.abandon(job) }
                    return
                }
            } catch {
                try journal.perform { connection throws in connection.abandon(job) }
                try? makeRoom()
                throw error
            }
            // The next one, which may be due already, finds room in what this one replaced.
            try removeGarbage()
        }
    }

    /// Writes a checkpoint; returns whether it was not stopped in between.
    private func write(_ job: CheckpointJob) throws(JournalError) -> Bool {
        var encoder = CheckpointEncoder(job.snapshot)
        var (pieces, byteCount) = (0, 0)
        while let piece = encoder.next() {
            if isStopped { return false }
            let number = pieces
            try journal.perform { connection throws in try connection.write(piece, number, of: job) }
            pieces += 1
            byteCount += piece.text.count
        }
        let (count, bytes) = (pieces, byteCount)
        _ = try journal.perform { connection throws in try connection.finish(job, pieces: count, byteCount: bytes) }
        return true
    }

    /// Forgets what is too old at a time in milliseconds since 1970.
    func forgetOldHistory(at time: Int64) throws(JournalError) {
        let cutoff = time - Int64(history.seconds * 1000)
        try journal.perform { connection throws in connection.requireCheckpoints(before: cutoff) }
        try takeCheckpoints()
        try repeatedly { connection throws in try connection.removeRecords(before: cutoff) }
        // Twice as long as promised, so that a clock that was taken for right when the store was opened, and was a little
        // ahead, costs no client the answer to a repetition.
        let answersCutoff = time - Int64(2 * AnswerTable.lifetime * 1000)
        try repeatedly { connection throws in try connection.removeAnswers(before: answersCutoff) }
        try forgetDeletions()
    }

    private func forgetDeletions() throws(JournalError) {
        let least = history.deletions
        for (collection, number) in try journal.perform({ connection throws in
            try connection.expiredNumbers(keeping: least)
        }) {
            while !isStopped,
                let snapshot = committer.forgetDeletions(
                    in: collection, through: number, keeping: least, atMost: Self.deletionsAtOnce)
            {
                try journal.perform { connection throws in connection.replace(collection, with: snapshot) }
            }
        }
    }

    /// Takes away what nobody reads, and gives its space back.
    func clearAway() throws(JournalError) {
        try removeGarbage()
        try repeatedly { connection throws in try connection.releaseSpace() }
    }

    /// After a checkpoint that failed: gives back what its pieces have taken, since on a full disk edits need it. Only with
    /// the free pages gone the log fits into the database, and only then its own room is free.
    private func makeRoom() throws(JournalError) {
        try removeGarbage()
        try repeatedly { connection throws in try connection.releaseSpace(isScarce: true) }
        try journal.truncateLog(over: 0)
    }

    private func removeGarbage() throws(JournalError) {
        try repeatedly { connection throws in try connection.removeGarbage() }
    }

    private func repeatedly(_ step: (StoreConnection) throws -> Bool) throws(JournalError) {
        while !isStopped, try journal.perform(step) {}
    }
}
