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
        if let index = parts.dropLast().firstIndex(where: { Self.isNumber($0) }) {
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

    private static func isNumber(_ text: String) -> Bool {
        var scanner = TextScanner(text)
        return scanner.digits(1...3) != nil && scanner.isAtEnd
    }

    /// A track's number and what is behind it.
    private static func numbered(_ text: String) -> (number: String, rest: String)? {
        var scanner = TextScanner(text)
        guard var number = scanner.digits(1...3) else { return nil }
        var isMarked = number.first == "0" && number.count > 1
        var behind = scanner
        if number.count < 3, behind.skip("-"), let second = behind.digits(2...3) {
            // `1-03`: the third of the first disc.
            (number, scanner, isMarked) = (second, behind, true)
        } else if scanner.skip(".") || scanner.skip(")") {
            scanner.skipAll { $0 == UInt8(ascii: " ") }
            return rest(scanner).flatMap { $0.first?.isNumber == true ? nil : (String(number), $0) }
        }
        guard isMarked, scanner.skipAll({ " ._-".utf8.contains($0) }) > 0 else { return nil }
        return rest(scanner).map { (String(number), $0) }
    }

    private static func rest(_ scanner: TextScanner) -> String? {
        let rest = String(scanner.remainder).trimmed
        return rest.isEmpty ? nil : rest
    }

    private static func unpadded(_ number: String) -> String {
        let digits = number.drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}
