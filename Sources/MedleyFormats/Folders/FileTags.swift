import JSONText
import MedleyJSON

/// The tags of a media file, as `ffprobe` states them.
struct FileTags {
    private let format: JSONMembers
    private let tags: JSONMembers

    init(_ format: JSONMembers) {
        self.format = format
        var scanner = JSONScanner(Array(format.value(of: "tags") ?? []))
        tags = (try? scanner.members()) ?? .empty
    }

    /// Puts them where they belong; a tag without a meaning here is kept under its own name.
    func put(in fields: inout FieldList) {
        var rest: [(name: String, text: String)] = []
        for member in tags {
            guard let text = text(member.value)?.trimmed, !text.isEmpty else { continue }
            rest.append((member.name.string.lowercased(), text))
        }
        func take(_ names: String...) -> [(own: String, text: String?)] {
            names.flatMap { name in
                let taken = rest.filter { $0.name == name }
                rest.removeAll { $0.name == name }
                return taken.map { (name.camelCased, Optional($0.text)) }
            }
        }
        fields.choose(.title, take("title"))
        fields.choose(.artist, take("artist"))
        fields.choose(.album, take("album"))
        fields.choose(.creator, take("author"))
        fields.choose(.description, take("description", "comment"))
        fields.choose(.duration, [("durationText", format.value(of: "duration").flatMap(text))])
        fields.choose(.publishedAt, take("releasetime"))
        for number in take("track", "tracknumber") {
            // `3/12` is the third of twelve.
            let parts = (number.text ?? "").split(separator: "/").map { String($0).trimmed }
            fields.set("trackNumber", number: parts.first)
            if parts.count > 1 { fields.set("trackCount", number: parts[1]) }
        }
        for (own, text) in rest { fields.own(own.camelCased, text) }
        fields.set("container", format.value(of: "format_name").flatMap(text))
        fields.set("bitRate", number: format.value(of: "bit_rate").flatMap(text))
    }

    /// A string's or a number's text.
    private func text(_ value: ArraySlice<UInt8>) -> String? {
        ImportedRecord.Value.json(Array(value)).scalar.text.map { String(decoding: $0, as: UTF8.self) }
    }
}
