import MedleyCore

/// What a store knows of a living collection beyond its newest checkpoint: when the next is due, and of what.
struct CollectionTail {
    /// The lineage.
    let lineage: String
    /// The newest snapshot that is durable.
    var snapshot: Snapshot
    /// The sequence number of the record that led to it.
    var sequence: Int64
    /// The first record that no checkpoint covers, if there is one.
    var firstUncovered: (sequence: Int64, time: Int64)?
    /// How many records no checkpoint covers.
    var uncoveredRecords = 0
    /// How many bytes their changes have.
    var uncoveredBytes = 0
    /// The bytes of the newest checkpoint.
    var checkpointBytes = 0

    /// Counts a record that was kept.
    mutating func count(sequence: Int64, time: Int64, byteCount: Int) {
        self.sequence = sequence
        if firstUncovered == nil { firstUncovered = (sequence, time) }
        uncoveredRecords += 1
        uncoveredBytes += byteCount
    }

    /// Whether a recovery would have so much to replay that a checkpoint pays: so a restart costs little more than reading
    /// the collection, and checkpoints write at most a few times what edits do.
    var isCheckpointDue: Bool {
        uncoveredBytes > max(1 << 20, checkpointBytes / 8) || uncoveredRecords > max(5_000, snapshot.itemCount / 20)
    }
}
