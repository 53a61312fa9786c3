import HTTPCore
import MedleyCore

/// A document as it is, in pieces of some ten KiB. The JSON of a large leaf is handed on as it lies there.
struct PlainPieces: BodyPieces {
    private let parts: AnyIterator<DocumentPart>
    private var pending: [UInt8] = []
    /// A leaf's JSON that stands behind `pending`.
    private var following: [UInt8]?
    /// Whether more was looked at than is good for one turn.
    private(set) var endsTurn = false

    /// From so many bytes on a leaf's JSON is a piece of its own.
    private static let ownPieceSize = 4 << 10
    /// From so many bytes on what was gathered is a piece.
    private static let pieceSize = 16 << 10

    init(_ parts: AnyIterator<DocumentPart>) { self.parts = parts }

    mutating func next() -> [UInt8]? {
        if let piece = following {
            following = nil
            return piece
        }
        endsTurn = false
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
                guard leaf.startIndex > 0, json.count >= Self.ownPieceSize else {
                    pending.append(contentsOf: leaf.startIndex > 0 ? json[...] : json.dropFirst())
                    continue
                }
                if pending.isEmpty { return json }
                following = json
                return takePending()
            }
        }
        return pending.isEmpty ? nil : takePending()
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
