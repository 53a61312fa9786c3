/// What the name of a media file says: a title, and by convention an artist, an album and a track's number.
struct FileTitle: Hashable {
    private(set) var title: String
    private(set) var artist: String?
    private(set) var album: String?
    private(set) var trackNumber: String?

    /// Reads a file's name: the extension goes; underscores are spaces where there are no spaces; a number in front is
    /// the track's where it is marked as one (`01 Title`, `1. Title`, `1-03 Title`, not `99 Luftballons`); ` - ` stands
    /// between artist, album, number and title, in that order.
    init(fileName: String) {
        var name = fileName
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
        if !name.contains(" ") { name = name.replacing("_", with: " ") }
        name = name.trimmed
        title = name
        var parts = name.split(separator: " - ", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard !parts.contains("") else {
            strip()
            return
        }
        if let index = parts.dropLast().firstIndex(where: { $0.wholeMatch(of: /\d{1,3}/.asciiOnlyDigits()) != nil }) {
            trackNumber = parts.remove(at: index)
        } else if let first = parts.first, parts.count > 1, let (number, rest) = Self.numbered(first) {
            trackNumber = number
            parts[0] = rest
        }
        switch parts.count {
        case 1:
            title = parts[0]
            if trackNumber == nil { strip() }
        case 2: (artist, title) = (parts[0], parts[1])
        default:
            (artist, album) = (parts[0], parts[1])
            title = parts[2...].joined(separator: " - ")
        }
        if let number = trackNumber { trackNumber = Self.unpadded(number) }
    }

    private mutating func strip() {
        guard let (number, rest) = Self.numbered(title) else { return }
        (trackNumber, title) = (Self.unpadded(number), rest)
    }

    /// A track's number and what is behind it.
    private static func numbered(_ text: String) -> (number: String, rest: String)? {
        let forms = [
            /(?:\d{1,2}-)(\d{2,3})[ ._]+(\S.*)/.asciiOnlyDigits(),
            /(\d{1,3})(?:[.)] *|[ _]*-[ _]+)(\D.*)/.asciiOnlyDigits(),
            /(0\d{1,2})[ _]+(\S.*)/.asciiOnlyDigits(),
        ]
        for form in forms {
            if let match = text.wholeMatch(of: form) { return (String(match.1), String(match.2).trimmed) }
        }
        return nil
    }

    private static func unpadded(_ number: String) -> String {
        let digits = number.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}
