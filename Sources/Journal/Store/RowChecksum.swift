import Compression

/// The checksum of a row: the CRC-32 of all its columns, one behind the other in a form in which none can pass for
/// another.
///
/// A number is the byte 1 and its eight bytes, the lowest first; a text is the byte 2, the count of its bytes like a
/// number's, and the bytes. A text that lies in parts counts like one in its column, NULL like an empty one.
struct RowChecksum {
    private var crc: UInt32 = 0

    /// What the column `checksum` holds.
    var value: Int64 { Int64(crc) }

    /// Adds a number.
    mutating func add(_ number: Int64) { add(tag: 1, number) }

    /// Adds a text. O(bytes).
    mutating func add(_ text: [UInt8]) {
        add(tag: 2, Int64(text.count))
        crc = CRC32.checksum(of: text, behind: crc)
    }

    /// Adds a text. O(bytes).
    mutating func add(_ text: String) { add(Array(text.utf8)) }

    private mutating func add(tag: UInt8, _ number: Int64) {
        let bits = UInt64(bitPattern: number)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        crc = CRC32.checksum(of: [tag] + bytes, behind: crc)
    }
}
