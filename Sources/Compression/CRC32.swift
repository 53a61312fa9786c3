import CZlib

/// The checksum of gzip (RFC 1952, 8): it finds every error of up to 32 adjacent bits, and others but for one in 2³².
package enum CRC32 {
    /// The checksum of bytes, behind others that have the checksum given. O(bytes), about a gigabyte a second.
    package static func checksum(of bytes: [UInt8], behind previous: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(previous), bytes.baseAddress, bytes.count))
        }
    }
}
