import HTTPCore

extension Document {
    /// From so many bytes on a body is made as the client reads it.
    static let streamedSize = 64 << 10
    /// From so many bytes on gzip is worth it.
    static let gzippedSize = 1 << 10

    /// The document as a response's body, in one piece if it is small, and whether it is gzipped.
    func body(gzip: Bool) -> (body: Response.Body, isGzip: Bool) {
        if let hint = byteCountHint, hint > Self.streamedSize { return streamed(gzip: gzip) }
        guard let bytes = bytes(atMost: Self.streamedSize) else { return streamed(gzip: gzip) }
        if gzip, bytes.count >= Self.gzippedSize {
            return (.bytes(hasBlocks ? gzipped : Document(bytes).gzipped), true)
        }
        return (.bytes(bytes), false)
    }

    /// The whole document as a gzip body. O(bytes).
    var gzipped: [UInt8] {
        var pieces = GzipPieces(makeParts())
        var body: [UInt8] = []
        while let piece = pieces.next() { body.append(contentsOf: piece) }
        return body
    }

    private func streamed(gzip: Bool) -> (Response.Body, Bool) {
        gzip ? (.stream(GzipStream(document: self)), true) : (.stream(PlainStream(document: self)), false)
    }

    /// The whole document, or `nil` if it is longer or takes more than a turn.
    private func bytes(atMost limit: Int) -> [UInt8]? {
        var pieces = PlainPieces(makeParts())
        var bytes: [UInt8] = []
        while let piece = pieces.next() {
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
            if bytes.count > limit || pieces.endsTurn { return nil }
        }
        return bytes
    }
}
