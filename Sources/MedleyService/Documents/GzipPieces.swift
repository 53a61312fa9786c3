import Compression
import HTTPCore
import MedleyCore

/// A document as a gzip body: each leaf of some size by the block that was made of it once, what stands between them
/// deflated anew.
struct GzipPieces: BodyPieces {
    private let parts: AnyIterator<DocumentPart>
    private let deflater = Deflater()
    private var assembler = GzipAssembler()
    /// What is ready to go out.
    private var output = GzipAssembler.header
    /// A leaf's block that stands behind `output`: shared, not copied, however large it is.
    private var following: [UInt8]?
    /// What is not deflated yet.
    private var pending: [UInt8] = []
    private var isAtEnd = false
    /// Whether more was looked at, or made, than is good for one turn.
    private(set) var endsTurn = false

    /// The items of smaller leaves are deflated together with what stands around them.
    private static let ownBlockCount = 8
    /// From so many bytes on what was gathered is a block.
    private static let blockSize = 32 << 10
    /// Up to so many bytes are not worth deflating.
    private static let storedSize = 64
    /// From so many bytes on the output is a piece.
    private static let pieceSize = 16 << 10
    /// So many bytes are looked at in one turn, however small they become: text that repeats itself would have one piece
    /// stand for megabytes.
    private static let turnSize: UInt32 = 32 << 10

    init(_ parts: AnyIterator<DocumentPart>) { self.parts = parts }

    mutating func next() -> [UInt8]? {
        endsTurn = false
        if output.isEmpty, let piece = following.take() { return piece }
        if isAtEnd { return nil }
        let start = assembler.byteCount
        while output.count < Self.pieceSize, following == nil {
            if assembler.byteCount &- start >= Self.turnSize {
                endsTurn = true
                return takeOutput()
            }
            guard let part = parts.next() else {
                isAtEnd = true
                closeBlock()
                output.append(contentsOf: assembler.trailer)
                return output
            }
            switch part {
            case .text(let text): pending.append(contentsOf: text)
            case .lastOfTurn(let text):
                pending.append(contentsOf: text)
                closeBlock()
                endsTurn = true
                return takeOutput()
            case .leaf(let leaf): add(leaf)
            }
            if pending.count >= Self.blockSize { closeBlock() }
        }
        if output.isEmpty, let piece = following.take() { return piece }
        return takeOutput()
    }

    private mutating func takeOutput() -> [UInt8] {
        let piece = output
        output = []
        return piece
    }

    private mutating func add(_ leaf: ItemLeaf) {
        let encoding = LeafEncoding.of(leaf)
        if leaf.count < Self.ownBlockCount {
            let json = encoding.json(of: leaf)
            pending.append(contentsOf: leaf.startIndex > 0 ? json[...] : json.dropFirst())
            return
        }
        if leaf.startIndex > 0 { pending.append(UInt8(ascii: ",")) }
        closeBlock()
        let block = encoding.block(of: leaf, by: deflater)
        guard block.bytes.count >= Self.pieceSize else {
            add(block)
            return
        }
        assembler.add(block)
        following = block.bytes
    }

    private mutating func closeBlock() {
        guard !pending.isEmpty else { return }
        add(pending.count <= Self.storedSize ? .stored(pending) : deflater.block(pending))
        // A large model's room is not kept while the client reads.
        if pending.count > 2 * Self.blockSize { pending = [] } else { pending.removeAll(keepingCapacity: true) }
    }

    private mutating func add(_ block: DeflatedBlock) {
        assembler.add(block)
        output.append(contentsOf: block.bytes)
    }
}

/// A document as a gzip body.
struct GzipStream: BodyStream {
    let document: Document
    var length: Int? { nil }
    func makePieces() -> any BodyPieces { GzipPieces(document.makeParts()) }
}
