import HTTPCore

/// A body that is there as a whole, sent slice by slice; what it was reserved by is held until it is written or the
/// connection goes.
struct HeldBytes: BodyStream {
    private let bytes: [UInt8]
    private let holder: any Sendable

    private static let sliceSize = 64 << 10

    /// The bytes as a body: in one piece, and holding nothing, if they are few.
    static func body(_ bytes: [UInt8], holding holder: any Sendable) -> Response.Body {
        bytes.count > Document.streamedSize ? .stream(HeldBytes(bytes: bytes, holder: holder)) : .bytes(bytes)
    }

    var length: Int? { bytes.count }

    func makePieces() -> any BodyPieces { Pieces(bytes: bytes, holder: holder) }

    private struct Pieces: BodyPieces {
        let bytes: [UInt8]
        let holder: any Sendable
        var start = 0

        mutating func next() -> [UInt8]? {
            guard start < bytes.count else { return nil }
            let end = min(start + HeldBytes.sliceSize, bytes.count)
            defer { start = end }
            return Array(bytes[start..<end])
        }
    }
}
