import MedleyCore

/// A part of a document.
enum DocumentPart {
    /// Text, never empty.
    case text([UInt8])
    /// Text for which so much was looked at, or done, that whoever reads goes on in another turn; it may be empty.
    case lastOfTurn([UInt8])
    /// The items of a leaf, separated by commas, with a comma before the first unless it is the section's first.
    case leaf(ItemLeaf)
}

/// A document that is made part by part, so that it never needs to be in memory as a whole.
struct Document: Sendable {
    /// About how many bytes it comes to, if that is known without making it.
    let byteCountHint: Int?
    /// Whether it is made of leaves, whose JSON and deflated blocks are kept; else making it anew costs more than holding it.
    let hasBlocks: Bool
    /// Its parts from the first. Each iterator holds what it reads from.
    let makeParts: @Sendable () -> AnyIterator<DocumentPart>

    init(
        byteCountHint: Int? = nil, hasBlocks: Bool = true,
        makeParts: @escaping @Sendable () -> AnyIterator<DocumentPart>
    ) {
        self.byteCountHint = byteCountHint
        self.hasBlocks = hasBlocks
        self.makeParts = makeParts
    }

    /// A document that is there already; in parts, so that no step of compressing a long one takes long. It holds `holder`
    /// as long as it or an iterator of it is there.
    init(_ text: [UInt8], holding holder: (any Sendable)? = nil) {
        self.init(byteCountHint: text.count) {
            var start = 0
            return AnyIterator {
                withExtendedLifetime(holder) {}
                guard start < text.count else { return nil }
                let end = min(start + Self.partSize, text.count)
                defer { start = end }
                return .text(Array(text[start..<end]))
            }
        }
    }

    /// About how many bytes a part of text has at most.
    static let partSize = 16 << 10

    /// The whole document. O(bytes).
    var bytes: [UInt8] {
        var pieces = PlainPieces(makeParts())
        var bytes: [UInt8] = []
        while let piece = pieces.next() { bytes.append(contentsOf: piece) }
        return bytes
    }
}
