import Dispatch
import MedleyCore
import MedleyJSON
import SQLite
import Synchronization

extension StoreRecovery {
    /// A piece as its row has it.
    private struct StoredPiece: Sendable {
        let number: Int
        let kind: String
        let text: [UInt8]
        let checksum: Int64
    }

    /// How many pieces are read before they are decoded together.
    private static let piecesAtOnce = 16

    /// What the newest checkpoint of a collection holds, `nil` if there is none.
    func checkpoint(of row: CollectionRow) throws -> CollectionTail? {
        let find = try database.prepare(
            "SELECT id, lineage, number, sequence, pieces, bytes FROM checkpoints WHERE collection = ?")
        try find.bind(1, row.id)
        guard try find.step() else { return nil }
        let id = find.integer(0)
        func damage(_ what: String) -> JournalError { Self.damage("checkpoint \(id) of \(row.id)", what) }
        guard find.text(1) == row.lineage else { throw damage("is of another lineage") }
        guard let number = UInt64(exactly: find.integer(2)) else { throw damage("has number \(find.integer(2))") }
        let revision = Revision(lineage: row.lineage, number: number)
        let (sequence, pieceCount, byteCount) = (find.integer(3), Int(find.integer(4)), Int(find.integer(5)))
        find.reset()

        var decoder = CheckpointDecoder()
        var count = 0
        do {
            try eachPiece(of: id) { number, piece throws in
                guard number == count else { throw damage("lacks piece \(count)") }
                count += 1
                try decoder.add(piece)
            }
            guard count == pieceCount else { throw damage("lacks piece \(count)") }
            let snapshot = try decoder.finish()
            guard snapshot.revision == revision else { throw damage("holds revision \(snapshot.revision)") }
            var tail = CollectionTail(lineage: row.lineage, snapshot: snapshot, sequence: sequence)
            tail.checkpointBytes = byteCount
            return tail
        } catch let error as CheckpointError {
            throw damage("does not hold together: \(error)")
        } catch let error as PieceDamage {
            throw damage("piece \(error.number) \(error.what)")
        }
    }

    /// A piece that is not what was written.
    private struct PieceDamage: Error {
        let number: Int
        let what: String
    }

    /// Calls `body` with each piece in order. Some are decoded, on all cores, while `body` has those before them.
    private func eachPiece(of checkpoint: Int64, _ body: (Int, DecodedPiece) throws -> Void) throws {
        let statement = try database.prepare(
            "SELECT piece, kind, content, checksum FROM checkpoint_pieces WHERE checkpoint = ? ORDER BY piece")
        try statement.bind(1, checkpoint)
        var decoded: [Result<(number: Int, piece: DecodedPiece), PieceDamage>] = []
        var isAtEnd = false
        while true {
            var pieces: [StoredPiece] = []
            while pieces.count < Self.piecesAtOnce, !isAtEnd {
                // A step after the last row would begin anew.
                isAtEnd = try !statement.step()
                if isAtEnd { break }
                pieces.append(
                    StoredPiece(
                        number: Int(statement.integer(0)), kind: statement.text(1), text: statement.bytes(2),
                        checksum: statement.integer(3)))
            }
            let decoding = Decoding(pieces)
            for result in decoded {
                let (number, piece) = try result.get()
                try body(number, piece)
            }
            decoded = decoding.wait()
            if decoded.isEmpty { return }
        }
    }

    /// Pieces that are being decoded on other threads.
    private final class Decoding: Sendable {
        private let results: Mutex<[Result<(number: Int, piece: DecodedPiece), PieceDamage>?]>
        private let group = DispatchGroup()

        init(_ pieces: [StoredPiece]) {
            results = Mutex(Array(repeating: nil, count: pieces.count))
            for (index, piece) in pieces.enumerated() {
                DispatchQueue.global().async(group: group) {
                    let result = Self.decoded(piece)
                    self.results.withLock { $0[index] = result }
                }
            }
        }

        func wait() -> [Result<(number: Int, piece: DecodedPiece), PieceDamage>] {
            group.wait()
            return results.withLock { $0 }.compactMap { $0 }
        }

        private static func decoded(
            _ piece: StoredPiece
        ) -> Result<(number: Int, piece: DecodedPiece), PieceDamage> {
            guard StoredText.checksum(piece.text) == piece.checksum else {
                return .failure(
                    PieceDamage(number: piece.number, what: "is not what was written: the checksum differs"))
            }
            guard let kind = CheckpointPiece.Kind(rawValue: piece.kind) else {
                return .failure(PieceDamage(number: piece.number, what: "is of an unknown kind, \(piece.kind)"))
            }
            do throws(CheckpointError) {
                return .success((piece.number, try CheckpointDecoder.decode(kind, piece.text)))
            } catch {
                return .failure(PieceDamage(number: piece.number, what: "cannot be read: \(error)"))
            }
        }
    }
}
