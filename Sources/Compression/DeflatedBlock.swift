/// A run of bytes in deflate's form (RFC 1951), ended by a full flush: it starts and ends on a byte and refers to nothing
/// outside itself, so blocks made apart can stand one after the other in one gzip body.
package struct DeflatedBlock: Hashable, Sendable {
    /// The deflated bytes.
    package let bytes: [UInt8]
    /// The CRC-32 of the bytes before they were deflated.
    package let checksum: UInt32
    /// How many bytes there were before they were deflated.
    package let sourceByteCount: Int

    init(bytes: [UInt8], of source: [UInt8]) {
        self.bytes = bytes
        checksum = CRC32.checksum(of: source)
        sourceByteCount = source.count
    }

    /// Keeps bytes as they are, five bytes of frame for each 65,535. O(bytes).
    package static func stored(_ source: [UInt8]) -> DeflatedBlock {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count + 5 * (source.count / Self.largestStored + 1))
        var start = 0
        while start < source.count {
            let end = min(start + largestStored, source.count)
            let count = UInt16(end - start)
            bytes.append(0)
            for number in [count, ~count] {
                bytes.append(UInt8(truncatingIfNeeded: number))
                bytes.append(UInt8(truncatingIfNeeded: number >> 8))
            }
            bytes.append(contentsOf: source[start..<end])
            start = end
        }
        return DeflatedBlock(bytes: bytes, of: source)
    }

    /// The most bytes of one stored block (RFC 1951, 3.2.4).
    private static let largestStored = 65_535
}
