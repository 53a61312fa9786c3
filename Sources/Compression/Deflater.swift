import CZlib

/// Makes deflated blocks; one that makes many spends zlib's quarter of a megabyte only once.
///
/// Used on one thread at a time.
@safe package final class Deflater {
    /// zlib's state; `nil` if there was no memory for it, and then bytes are kept as they are.
    private let stream: UnsafeMutablePointer<z_stream>?

    /// Creates one.
    ///
    /// - Parameter level: from 1, fast, to 9, small.
    package init(level: Int = 6) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let result = unsafe deflateInit2_(
            stream, Int32(level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        if result == Z_OK {
            unsafe self.stream = stream
        } else {
            unsafe stream.deallocate()
            unsafe self.stream = nil
        }
    }

    deinit {
        if let stream = unsafe stream {
            unsafe deflateEnd(stream)
            unsafe stream.deallocate()
        }
    }

    /// The bytes as a block that depends on nothing that was made before. O(bytes).
    package func block(_ source: [UInt8]) -> DeflatedBlock {
        guard !source.isEmpty, let bytes = deflated(source), bytes.count < source.count else { return .stored(source) }
        return DeflatedBlock(bytes: bytes, of: source)
    }

    /// The bytes deflated up to a full flush, or `nil` if zlib refuses or they would become longer.
    private func deflated(_ source: [UInt8]) -> [UInt8]? {
        guard let stream = unsafe stream, source.count <= Int(UInt32.max), unsafe deflateReset(stream) == Z_OK else {
            return nil
        }
        var isComplete = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: source.count) { output, count in
            unsafe source.withUnsafeBufferPointer { source in
                // zlib declares what it only reads as mutable.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(source.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                let result = unsafe deflate(stream, Z_FULL_FLUSH)
                // With room left over the flush is complete (zlib's manual on `deflate`).
                isComplete = unsafe result == Z_OK && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
                count = unsafe output.count - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        return isComplete ? bytes : nil
    }
}
