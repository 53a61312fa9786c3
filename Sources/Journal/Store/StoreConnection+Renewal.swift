import MedleyCore
import MedleyJSON
import SQLite

extension StoreConnection {
    /// Gives a collection another lineage, of which no earlier revision is known, in a checkpoint of its own.
    func renew(_ collection: String, lineage: String) throws {
        guard let tail = tails[collection] else { return }
        let snapshot = tail.snapshot.continuing(in: lineage)
        let job = try job(of: collection, snapshot, lastSequence)
        try database.transaction { () throws in
            var encoder = CheckpointEncoder(snapshot)
            var (pieces, byteCount) = (0, 0)
            while let piece = encoder.next() {
                try write(piece, pieces, of: job)
                pieces += 1
                byteCount += piece.text.count
            }
            let rename = try database.prepare("UPDATE collections SET lineage = ?, sequence = ? WHERE id = ?")
            try rename.bind(1, lineage)
            try rename.bind(2, lastSequence)
            try rename.bind(3, collection)
            try rename.run()
            try replaceCheckpoint(job, pieces: pieces, byteCount: byteCount)
        }
        checkpointUnderWay = nil
    }
}
