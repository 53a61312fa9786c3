import CZlib

/// Puts a gzip body (RFC 1952) together from deflated blocks: `header`, the blocks' bytes in the order in which they were
/// added, `trailer`. No byte of a block is copied or looked at.
package struct GzipAssembler: Sendable {
    private var checksum: UInt32 = 0
    /// How many bytes the blocks so far were made of, modulo 2^32.
    package private(set) var byteCount: UInt32 = 0

    /// Begins a body.
    package init() {}

    /// What a body begins with: ten bytes without a name or a time.
    package static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// Counts a block as the next one. O(log bytes).
    package mutating func add(_ block: DeflatedBlock) {
        checksum = UInt32(
            truncatingIfNeeded: crc32_combine(UInt(checksum), UInt(block.checksum), block.sourceByteCount))
        byteCount &+= UInt32(truncatingIfNeeded: block.sourceByteCount)
    }

    /// What a body ends with: an empty last block, the checksum and the length of the blocks' sources.
    package var trailer: [UInt8] {
        var bytes: [UInt8] = [3, 0]
        for number in [checksum, byteCount] {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return bytes
    }
}
