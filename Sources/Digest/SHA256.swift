internal import COpenSSL

/// SHA-256 (FIPS 180-4), by OpenSSL's libcrypto: for what is secret.
package enum SHA256 {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// The digest of some bytes. O(bytes).
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            _ = unsafe COpenSSL.SHA256(bytes, bytes.count, buffer.baseAddress)
            count = byteCount
        }
    }

    /// Whether two digests are the same, in a time that does not tell where they differ.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe CRYPTO_memcmp(left, right, left.count) == 0
    }
}
