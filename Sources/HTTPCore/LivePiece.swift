/// A piece of a live stream with its chunk framing, made once and shared by all connections that it is sent on.
package struct LivePiece: Sendable {
    /// The piece as a chunk (RFC 9112, 7.1): the line with its size, the bytes, a line's end.
    package let chunk: [UInt8]
    private let start: Int

    /// Frames bytes, in O(n). There must be some, since an empty chunk ends a body.
    package init(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "a piece has bytes")
        var chunk: [UInt8] = []
        chunk.reserveCapacity(bytes.count + 20)
        ResponseHead.appendChunkLine(to: &chunk, count: bytes.count)
        start = chunk.count
        chunk += bytes
        chunk.append("\r\n")
        self.chunk = chunk
    }

    /// How many bytes there are, without the framing.
    package var count: Int { chunk.count - start - 2 }

    /// A copy of the bytes without the framing.
    package var bytes: [UInt8] { Array(chunk[start..<start + count]) }
}
