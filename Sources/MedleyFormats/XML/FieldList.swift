import JSONText
import MedleyCore
import MedleyJSON

/// A record's fields in the making: every name once, and none that means something else to an item.
struct FieldList {
    private(set) var fields: [ImportedRecord.Field] = []
    private var values: [FieldName: ImportedRecord.Value] = [:]
    /// For names that many fields want, the last number given.
    private var numbers: [FieldName: Int] = [:]
    private var isSealed = false
    /// What is put before a format's own name where that is an item's: `feed` makes `feedType` of `type`.
    private let source: String

    /// Names that an item, or a section, has for itself.
    private static let reserved: Set<String> = ["id", "type", "liked", "items"]

    private let names: FieldNames

    /// Starts an empty list; lists that share `names` hold each name once.
    init(source: String, names: FieldNames = FieldNames()) {
        self.source = source
        self.names = names
    }

    /// Gives back what is only of use while fields are added in numbers; the list stays as it is.
    mutating func seal() {
        values = [:]
        numbers = [:]
        isSealed = true
    }

    private func value(_ name: String) -> ImportedRecord.Value? {
        guard isSealed else { return values[FieldName(name)] }
        return fields.first { $0.name.elementsEqual(name.utf8) }?.value
    }

    var isEmpty: Bool { fields.isEmpty }

    /// Whether there is a field of this name.
    func has(_ name: String) -> Bool { value(name) != nil }

    /// The text of a field.
    func text(_ name: String) -> String? {
        guard case .text(let text) = value(name) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Sets a field under exactly this name; nothing for an empty text, or if there is one already.
    mutating func set(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        set(name, .text(Array(text.utf8)))
    }

    /// Sets a field under exactly this name; nothing if there is one already.
    mutating func set(_ name: String, _ value: ImportedRecord.Value) {
        guard self.value(name) == nil else { return }
        if !isSealed { values[FieldName(name)] = value }
        let (bytes, text) = names.forms(of: name)
        fields.append(.init(name: bytes, nameText: text, value: value))
    }

    /// Sets a field to a number if the text is one as JSON writes it, else to the text.
    mutating func set(_ name: String, number text: String?) {
        guard let text, !text.isEmpty else { return }
        set(name, Array(text.utf8).isJSONNumber ? .json(Array(text.utf8)) : .text(Array(text.utf8)))
    }

    /// Gives a known member the first candidate that fits it. Every other candidate is kept under its own name, unless
    /// it says the same as the one that was taken.
    mutating func choose(_ member: KnownMember, _ candidates: [(own: String, text: String?)]) {
        var taken: String?
        for candidate in candidates {
            guard let text = candidate.text, !text.isEmpty else { continue }
            if taken == nil, let value = Self.fitted(text, member) {
                taken = text
                set(member.rawValue, value)
            } else if text != taken {
                own(candidate.own, .text(Array(text.utf8)))
            }
        }
    }

    /// Keeps a value under a name of the format, made to begin with the source where items have a meaning for it, and
    /// numbered where it is taken by another value.
    mutating func own(_ name: String, _ value: ImportedRecord.Value) {
        let isTaken = Self.reserved.contains(name) || KnownMember(rawValue: name) != nil
        add(isTaken ? source + name.prefix(1).uppercased() + name.dropFirst() : name, value)
    }

    /// Adds a field, its name numbered where it is taken by another value.
    mutating func add(_ name: String, _ value: ImportedRecord.Value) {
        var free = name
        var number = 1
        while let old = self.value(free) {
            guard old != value else { return }
            number += 1
            // Beyond a few they are only counted, so that thousands of one name cost no more than each their share.
            if number > 8 { number = max(number, (numbers[FieldName(name)] ?? 8) + 1) }
            free = "\(name)-\(number)"
        }
        if number > 8 { numbers[FieldName(name)] = number }
        set(free, value)
    }

    /// Keeps a text under a name of the format; nothing if it is empty.
    mutating func own(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        own(name, .text(Array(text.utf8)))
    }

    /// The fields as a section's members, the title first.
    func members(title: String) -> JSONMembers {
        var members = JSONMembers.empty
        members.append(name: "title", value: Array(title.utf8).jsonString)
        for field in fields where field.name != Array("title".utf8) {
            members.append(nameText: field.nameText, value: field.value.json)
        }
        return members
    }

    /// Whether a text can become what a member must be.
    static func fits(_ text: String, _ member: KnownMember) -> Bool { fitted(text, member) != nil }

    /// A candidate as the member's value; `nil` if it does not fit.
    private static func fitted(_ text: String, _ member: KnownMember) -> ImportedRecord.Value? {
        switch member {
        case .title, .artist, .album, .creator, .description: return .text(Array(text.utf8))
        case .url, .artworkURL:
            // A space in a URL is a common slip, and means what its escape means.
            let url = Array(text.replacing(" ", with: "%20").utf8)
            return member.accepts(url.jsonString[...]) ? .text(url) : nil
        case .duration: return MediaDuration.seconds(text).map { .json(Array($0.utf8)) }
        case .publishedAt: return InternetDate(text).map { .text(Array($0.text.utf8)) }
        }
    }
}

/// A name as a key: two that look alike are two names unless their bytes are the same, as in JSON. Strings are equal where
/// they are canonically equivalent, which gave an `é` in two parts the bytes of one in one part.
struct FieldName: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: FieldName, right: FieldName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    // Equivalent strings hash alike, which does no harm and is faster than byte by byte.
    func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// The forms of fields' names, made once for all records of a document.
final class FieldNames {
    private static let limit = 10_000
    private var known: [FieldName: (bytes: [UInt8], text: [UInt8])] = [:]

    /// The name as bytes and as JSON text.
    func forms(of name: String) -> (bytes: [UInt8], text: [UInt8]) {
        if let forms = known[FieldName(name)] { return forms }
        let bytes = Array(name.utf8)
        let forms = (bytes, bytes.jsonString)
        // A document that makes up names has none of this.
        if known.count < Self.limit { known[FieldName(name)] = forms }
        return forms
    }
}

extension String {
    /// A name as JSON members have them: `itunes:new-feed-url` becomes `itunesNewFeedUrl`, `Date Added` `dateAdded`.
    var camelCased: String {
        let isPlain = utf8.allSatisfy { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        if isPlain, let first = utf8.first, first >= UInt8(ascii: "a") { return self }
        let words = split { !($0.isLetter || $0.isNumber) }
        guard let first = words.first else { return "field" }
        let head =
            first.allSatisfy { $0.isUppercase || $0.isNumber }
            ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return words.dropFirst().reduce(head) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
