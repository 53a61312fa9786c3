/// The text of a document that is gathered while items are looked at, which may be many for little text: it comes in
/// parts, and after so many items the turn ends, whatever there is.
struct TurnText {
    var bytes: [UInt8]
    private var lookedAt = 0

    /// The most items that are looked at in one turn of a loop.
    private static let mostLookedAt = 4_096

    init(_ opening: [UInt8]) { bytes = opening }

    /// Counts a step, and takes a part if one is due. Only where JSON allows white space.
    mutating func partAfterStep() -> DocumentPart? {
        lookedAt += 1
        if lookedAt >= Self.mostLookedAt {
            lookedAt = 0
            if bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            return .lastOfTurn(take())
        }
        return bytes.count >= Document.partSize ? .text(take()) : nil
    }

    /// Takes what there is, which must be something.
    mutating func take() -> [UInt8] {
        let text = bytes
        bytes = []
        return text
    }
}
