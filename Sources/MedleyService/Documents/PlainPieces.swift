import HTTPCore
import MedleyCore

/// A document as it is, in pieces of some ten KiB. The JSON of a large leaf is handed on as it lies there.
struct PlainPieces: BodyPieces {
    private let parts: AnyIterator<DocumentPart>
    private var pending: [UInt8] = []
    /// A leaf's JSON that stands behind `pending`, and from where on. The array is shared, so it costs nothing to hold.
    private var following: (json: [UInt8], start: Int)?
    /// Whether more was looked at than is good for one turn.
    private(set) var endsTurn = false

    /// From so many bytes on a leaf's JSON is a piece of its own.
    private static let ownPieceSize = 4 << 10
    /// From so many bytes on what was gathered is a piece.
    private static let pieceSize = 16 << 10
    /// How much of a shared array is copied at once where a part of it is left out.
    private static let sliceSize = 32 << 10

    init(_ parts: AnyIterator<DocumentPart>) { self.parts = parts }

    mutating func next() -> [UInt8]? {
        endsTurn = false
        if let piece = nextOfFollowing() { return piece }
        while pending.count < Self.pieceSize, let part = parts.next() {
            switch part {
            case .text(let text):
                if pending.isEmpty { pending = text } else { pending.append(contentsOf: text) }
            case .lastOfTurn(let text):
                endsTurn = true
                pending.append(contentsOf: text)
                return takePending()
            case .leaf(let leaf):
                let json = LeafEncoding.of(leaf).json(of: leaf)
                // The first has no comma before it.
                let start = leaf.startIndex > 0 ? 0 : 1
                guard json.count >= Self.ownPieceSize else {
                    pending.append(contentsOf: json[start...])
                    continue
                }
                following = (json, start)
                return pending.isEmpty ? nextOfFollowing() : takePending()
            }
        }
        return pending.isEmpty ? nil : takePending()
    }

    /// The next piece of the leaf that follows: all of it, as it lies there, or a slice.
    private mutating func nextOfFollowing() -> [UInt8]? {
        guard let (json, start) = following else { return nil }
        guard start > 0 else {
            following = nil
            return json
        }
        let end = min(start + Self.sliceSize, json.count)
        following = end < json.count ? (json, end) : nil
        return Array(json[start..<end])
    }

    private mutating func takePending() -> [UInt8] {
        let piece = pending
        pending = []
        return piece
    }
}

/// A document as a body.
struct PlainStream: BodyStream {
    let document: Document
    var length: Int? { nil }
    func makePieces() -> any BodyPieces { PlainPieces(document.makeParts()) }
}
