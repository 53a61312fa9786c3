import FuzzSupport
import MedleyCore
import MedleyJSON

/// Each line is a piece of a checkpoint, its kind and its text: they are refused, or give a sound snapshot that comes
/// back from its own checkpoint.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCheckpoints(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var decoder = CheckpointDecoder()
    for line in unsafe FuzzInput.bytes(start, count).split(separator: UInt8(ascii: "\n")) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, let kind = CheckpointPiece.Kind(rawValue: String(decoding: parts[0], as: UTF8.self))
        else { return 0 }
        do {
            try decoder.add(CheckpointDecoder.decode(kind, Array(parts[1])))
        } catch {
            FuzzInput.require(!error.message.isEmpty, "a refusal without a word")
            return 0
        }
    }
    guard let snapshot = try? decoder.finish() else { return 0 }
    do { try snapshot.checkInvariants() } catch { fatalError("\(error)") }
    let pieces = Array(CheckpointEncoder(snapshot, pieceByteCount: 64))
    var again = CheckpointDecoder()
    do {
        for piece in pieces { try again.add(CheckpointDecoder.decode(piece.kind, piece.text)) }
        let restored = try again.finish()
        FuzzInput.require(Array(CheckpointEncoder(restored, pieceByteCount: 64)) == pieces, "another checkpoint")
    } catch {
        fatalError("a snapshot does not come back from its checkpoint: \(error)")
    }
    return 0
}
