import Compression
import MedleyCore
import MedleyFormats
import MedleyJSON
import Synchronization

/// The JSON of a leaf's items, its deflated form and the names of their members, each made once, when it is first wanted,
/// for all snapshots that share the leaf. It does not hold the leaf, which holds it.
final class LeafEncoding: Sendable {
    private let held = Mutex(Held())

    private struct Held {
        var json: [UInt8]?
        var block: DeflatedBlock?
        var memberNames: [[UInt8]]?
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

    /// The names of all members that the items have, known ones first. If they are those of another leaf, that list is
    /// kept in their place, so that one list serves many leaves. Any thread; O(bytes) the first time.
    func memberNames(of leaf: ItemLeaf, like other: [[UInt8]]) -> [[UInt8]] {
        if let known = held.withLock({ $0.memberNames }) { return known }
        var list = MemberNameList()
        leaf.forEach { list.add($0.model) }
        let names = list.names == other ? other : list.names
        return held.withLock { held in
            if let first = held.memberNames { return first }
            held.memberNames = names
            return names
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
