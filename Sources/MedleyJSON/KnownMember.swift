import JSONText

/// The members of a model that every client can rely on: checked when present, whatever the item's type.
public enum KnownMember: String, Hashable, Sendable, CaseIterable {
    /// What it is called.
    case title
    /// Who performs it.
    case artist
    /// What it was published on.
    case album
    /// Who made it.
    case creator
    /// What it is about.
    case description
    /// Where the medium is.
    case url
    /// Where its picture is.
    case artworkURL
    /// How long it is, in seconds.
    case duration
    /// When it was published.
    case publishedAt

    /// The member of this name, decoded; `nil` if it is the model's own affair.
    public init?(utf8 name: ArraySlice<UInt8>) {
        let candidates: [KnownMember]
        switch name.count {
        case 3: candidates = [.url]
        case 5: candidates = [.title, .album]
        case 6: candidates = [.artist]
        case 7: candidates = [.creator]
        case 8: candidates = [.duration]
        case 10: candidates = [.artworkURL]
        case 11: candidates = [.description, .publishedAt]
        default: return nil
        }
        for candidate in candidates where name.elementsEqual(candidate.rawValue.utf8) {
            self = candidate
            return
        }
        return nil
    }

    /// Whether a value, as compact JSON text, is what the member must be. O(bytes).
    public func accepts(_ value: ArraySlice<UInt8>) -> Bool {
        let isString = value.first == UInt8(ascii: "\"")
        switch self {
        case .title, .artist, .album, .creator, .description: return isString
        case .url, .artworkURL: return isString && AbsoluteURL.isValid(JSONString(trusted: value).utf8)
        case .publishedAt: return isString && Timestamp.isValid(JSONString(trusted: value).utf8)
        case .duration: return Self.isNotNegative(value)
        }
    }

    /// What the member must be, for a person.
    public var requirement: String {
        switch self {
        case .title, .artist, .album, .creator, .description: "\(rawValue) must be a string"
        case .url, .artworkURL: "\(rawValue) must be an absolute URL, such as \"https://example.com/a\""
        case .duration: "duration must be a number of seconds, not negative"
        case .publishedAt: "publishedAt must be an RFC 3339 date and time, such as \"1970-11-09T00:00:00Z\""
        }
    }

    /// Whether a value is a number that is not below zero; `-0.0` is not.
    private static func isNotNegative(_ value: ArraySlice<UInt8>) -> Bool {
        guard let first = value.first, JSONKind(firstByte: first) == .number else { return false }
        guard first == UInt8(ascii: "-") else { return true }
        let mantissa = value.dropFirst().prefix { $0 | 0x20 != UInt8(ascii: "e") }
        return mantissa.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }
}
