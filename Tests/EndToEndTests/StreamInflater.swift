import CZlib

/// Inflates a gzip stream as it comes, as a browser does.
@safe final class StreamInflater {
    private let stream: UnsafeMutablePointer<z_stream>

    init() throws {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe self.stream = stream
        // 31: gzip's form, with the largest window.
        guard unsafe inflateInit2_(stream, 31, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw TestClient.Failure(message: "no memory to inflate")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// All that these bytes make known.
    func inflated(_ source: [UInt8]) throws -> [UInt8] {
        var source = source
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let room = buffer.count
        try unsafe source.withUnsafeMutableBufferPointer { source in
            unsafe stream.pointee.next_in = source.baseAddress
            unsafe stream.pointee.avail_in = UInt32(source.count)
            repeat {
                let (code, count) = unsafe buffer.withUnsafeMutableBufferPointer { output in
                    unsafe stream.pointee.next_out = output.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(output.count)
                    let code = unsafe inflate(stream, Z_SYNC_FLUSH)
                    return unsafe (code, room - Int(stream.pointee.avail_out))
                }
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
                    throw TestClient.Failure(message: "no gzip: \(code)")
                }
                result += buffer[..<count]
            } while unsafe stream.pointee.avail_out == 0
            unsafe stream.pointee.next_in = nil
            unsafe stream.pointee.next_out = nil
        }
        return result
    }
}
