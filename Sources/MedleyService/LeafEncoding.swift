import Compression
import MedleyCore
import MedleyJSON
import Synchronization

/// The JSON of a leaf's items and its deflated form, each made once, when it is first wanted, for all snapshots that share
/// the leaf. It does not hold the leaf, which holds it.
final class LeafEncoding: Sendable {
    private let held = Mutex(Held())

    private struct Held {
        var json: [UInt8]?
        var block: DeflatedBlock?
    }

    /// The encoding that goes with a leaf.
    static func of(_ leaf: ItemLeaf) -> LeafEncoding { leaf.attachment { LeafEncoding() } }

    /// The items as JSON, each with a comma before it. Any thread; the array is shared.
    func json(of leaf: ItemLeaf) -> [UInt8] {
        if let json = held.withLock({ $0.json }) { return json }
        // Outside the lock, so that no loop waits for another; what was kept first is what all share.
        let json = Self.encoded(leaf)
        return held.withLock { held in
            if let first = held.json { return first }
            held.json = json
            return json
        }
    }

    /// The items as JSON with commas between them, deflated: it does not depend on what stands before. Any thread.
    func block(of leaf: ItemLeaf, by deflater: Deflater) -> DeflatedBlock {
        let (known, json) = held.withLock { ($0.block, $0.json) }
        if let known { return known }
        let block = deflater.block(Array((json ?? Self.encoded(leaf)).dropFirst()))
        return held.withLock { held in
            if let first = held.block { return first }
            held.block = block
            return block
        }
    }

    private static func encoded(_ leaf: ItemLeaf) -> [UInt8] {
        var byteCount = 0
        leaf.forEach { byteCount += $0.encodedByteCount + 1 }
        var json: [UInt8] = []
        json.reserveCapacity(byteCount)
        leaf.forEach { item in
            json.append(UInt8(ascii: ","))
            ItemEncoder.append(item, to: &json)
        }
        return json
    }
}
