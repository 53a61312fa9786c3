/// The line by which players show an entry: `Artist - Title`, or the title alone.
enum PlaylistTitle {
    private static let separator = Array(" - ".utf8)

    /// The parts of a line. An artist who is known is looked for; else the first ` - ` parts the two, unless it stands
    /// within brackets, as in `(#1 - 12/500) Radio`. O(bytes).
    static func split(_ text: [UInt8], artist known: [UInt8]? = nil) -> (artist: [UInt8]?, title: [UInt8]) {
        if let known {
            let title = text.starts(with: known + separator) ? Array(text[(known.count + separator.count)...]) : text
            return (known, title.trimmed.isEmpty ? text : title.trimmed)
        }
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: " ") where depth == 0 && text[index...].starts(with: separator):
                let artist = Array(text[..<index]).trimmed
                let title = Array(text[(index + separator.count)...]).trimmed
                if !artist.isEmpty, !title.isEmpty { return (artist, title) }
            default: break
            }
        }
        return (nil, text)
    }

    /// The line for what is known of the two; empty if neither is.
    static func joined(artist: [UInt8]?, title: [UInt8]?) -> [UInt8] {
        guard let artist, let title else { return title ?? artist ?? [] }
        return artist + separator + title
    }
}
