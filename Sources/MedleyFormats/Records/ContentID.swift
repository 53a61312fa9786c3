import JSONText
import MedleyCore
import MedleyJSON

/// Makes ids for items and sections that bring none.
enum ContentID {
    /// The bytes, valid UTF-8, if they may be an id.
    static func plain(_ text: [UInt8]) -> [UInt8]? {
        ItemID(validating: text[...]) == nil ? nil : text
    }

    /// The bytes as an id if they may be one, else 32 hexadecimal digits of their hash behind `prefix`.
    static func plainOrHashed(_ text: [UInt8], prefix: String) -> [UInt8] {
        plain(text) ?? hashed(prefix: prefix) { $0.update(text) }
    }

    /// Several values as one text: joined with `|`, and `\` put before each `|` and `\` in a value, so that no two
    /// lists give the same. One value stays as it is.
    static func joined(_ values: [[UInt8]]) -> [UInt8] {
        guard values.count != 1 else { return values[0] }
        var text: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "|")) }
            for byte in value {
                if byte == UInt8(ascii: "|") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
                text.append(byte)
            }
        }
        return text
    }

    /// An id from all that a record says, whatever the order of its fields: 128 bits of a SHA-256 in hexadecimal.
    static func of(_ fields: [ImportedRecord.Field]) -> [UInt8] {
        hashed(prefix: "") { hash in
            for field in fields.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                let (kind, value): (String, [UInt8]) =
                    switch field.value {
                    case .text(let text): ("t", text)
                    case .json(let json): ("j", json)
                    }
                hash.update("\(kind)\(field.name.count),\(value.count):".utf8)
                hash.update(field.name)
                hash.update(value)
            }
        }
    }

    /// The members that tell an item from others, the first that there is: what its source calls it, else where it lies.
    private static let telling = ["guid", "url", "location", "path", "persistentID"]

    /// What tells an item from others whatever else is corrected about it: `guid`, else `url`, `location`, `path` or
    /// `persistentID`, else artist and title, letters in the case that they have; `nil` if it has none of them. O(bytes).
    static func identity(of model: JSONMembers) -> [UInt8]? {
        var best: (rank: Int, text: [UInt8])?
        var artist: [UInt8]?
        var title: [UInt8]?
        for member in model {
            if let rank = telling.firstIndex(where: { member.name.equals($0) }) {
                guard best.map({ rank < $0.rank }) ?? true, let text = text(of: member) else { continue }
                best = (rank, text)
            } else if member.name.equals("artist") {
                artist = text(of: member)
            } else if member.name.equals("title") {
                title = text(of: member)
            }
        }
        if let best { return best.text }
        guard let artist, let title else { return nil }
        return joined([artist, title])
    }

    /// The text of a string or a number, white space around it removed; `nil` if nothing is left.
    private static func text(of member: JSONMembers.Member) -> [UInt8]? {
        switch ImportedRecord.Value.json(Array(member.value)).scalar {
        case .string(let text), .number(let text):
            let trimmed = text.trimmed
            return trimmed.isEmpty ? nil : trimmed
        default: return nil
        }
    }

    /// An id put apart from others that are the same, by content that differs: `~` and eight hexadecimal digits of
    /// its hash behind it.
    static func apart(_ id: [UInt8], by content: [String]) -> [UInt8] {
        let digits = hashed(prefix: "") { hash in
            for text in content { hash.update("\(text.utf8.count):\(text)".utf8) }
        }
        return plainOrHashed(id + [UInt8(ascii: "~")] + digits.prefix(8), prefix: "")
    }

    private static func hashed(prefix: String, _ content: (inout SHA256) -> Void) -> [UInt8] {
        var hash = SHA256()
        content(&hash)
        let digits = Array("0123456789abcdef".utf8)
        return Array(prefix.utf8)
            + hash.finalized().prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
