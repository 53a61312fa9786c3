import JSONText
import MedleyCore

/// An entry of an M3U playlist in the making: what the lines before its location say.
struct M3UEntry {
    /// What an `#EXTINF` line says.
    struct Info {
        /// Which line it is.
        let line: Int
        /// The length as it stands there.
        let duration: [UInt8]
        /// The attributes; none has an empty value.
        let attributes: [(name: [UInt8], value: [UInt8])]
        /// Words between the attributes, which are none.
        let words: [UInt8]
        /// What stands behind the comma: the line that players show.
        let title: [UInt8]

        /// Reads the text behind the colon: `seconds attributes,title`. O(bytes).
        init(_ text: [UInt8], line: Int) {
            self.line = line
            let text = text.trimmed
            var start = 0
            while start < text.count, text[start] != 0x20, text[start] != 0x09, text[start] != UInt8(ascii: ",") {
                start += 1
            }
            let parsed = M3UAttributes(text, from: start)
            duration = Array(text[..<start])
            attributes = parsed.attributes.filter { !$0.value.isEmpty }
            if let comma = parsed.comma {
                title = Array(text[(comma + 1)...]).trimmed
                words = Array(parsed.words.joined(separator: [0x20]))
            } else {
                // Without a comma, the title is what follows the last attribute.
                title = Array(text[parsed.end...]).trimmed
                words = []
            }
        }

        /// The value of an attribute, its name in lower case.
        func attribute(_ name: String) -> [UInt8]? {
            attributes.first { $0.name.isEqual(to: name) }?.value
        }

        /// Whether the entry is a channel: a hyphen in its name parts no artist from a title.
        var isChannel: Bool {
            ["tvg-id", "tvg-name", "tvg-logo", "tvg-chno"].contains { attribute($0) != nil }
        }
    }

    /// The `#EXTINF` line.
    var info: Info?
    /// `#EXTGRP`, `#EXTALB`, `#EXTART` and `#EXTGENRE`, in force for this entry or for all that follow.
    var texts: [String: [UInt8]] = [:]
    /// `#EXTIMG`.
    var image: [UInt8]?
    /// Directives that are kept as they are, in order.
    private(set) var directives: [(name: [UInt8], value: [UInt8])] = []
    private var indices: [[UInt8]: Int] = [:]
    /// `#MEDLEY`.
    var own: ItemExtension?
    /// How many bytes all of this takes, about.
    var byteCount = 0
    /// Whether a line about it was refused. The location alone would make an item of it that lacks what was refused, or
    /// take that from the item that it was.
    var isRefused = false

    /// Keeps a directive; one that comes again is joined to the first by a line feed.
    mutating func keep(_ name: [UInt8], _ value: [UInt8]) {
        if let index = indices[name] {
            directives[index].value += [0x0A] + value
        } else {
            indices[name] = directives.count
            directives.append((name, value))
        }
    }

    /// The record; `texts` in force for all entries stand behind the entry's own. `nil` if there is nothing to tell.
    func record(line: Int, location: [UInt8]?, shared: [String: [UInt8]], section: SectionContent?) -> ImportedRecord? {
        var fields = RecordFields()
        if let own { fields.append(own.reserved) }
        let place = location.map { MediaLocation($0) }
        let artist = info?.attribute("artist") ?? texts["EXTART"] ?? shared["EXTART"]
        var names = names(artist: artist)
        if names.title.isEmpty, own == nil, let title = place?.fileTitle { names.title = title }
        if own?.leaves("title", "artist") ?? true {
            fields.append("title", text: names.title)
            fields.append("artist", text: names.artist)
            if names.artist != artist { fields.append("albumArtist", text: artist) }
        }
        if leaves("album") { fields.append("album", text: texts["EXTALB"] ?? shared["EXTALB"]) }
        if leaves("genre") { fields.append("genre", text: texts["EXTGENRE"] ?? shared["EXTGENRE"]) }
        if let place, own?.leaves("url", "path") ?? true { fields.append(place.member, text: place.text) }
        if leaves("artworkURL") { fields.append("artworkURL", text: info?.attribute("tvg-logo") ?? image) }
        if info?.attribute("tvg-logo") != nil { fields.append("EXTIMG", text: image) }
        if let group = info?.attribute("group-title"), group != texts["EXTGRP"] {
            fields.append("EXTGRP", text: texts["EXTGRP"])
        }
        if leaves("duration"), let value = info.flatMap({ PlaylistDuration.value($0.duration) }) {
            fields.append(name: Array("duration".utf8), value: value)
        }
        for attribute in info?.attributes ?? [] where !attribute.name.isEqual(to: "group-title", "tvg-logo", "artist") {
            fields.append(name: attribute.name, value: .text(attribute.value))
        }
        fields.append("EXTINF", text: info?.words)
        for directive in directives { fields.append(name: directive.name, value: .text(directive.value)) }
        if let own { fields.append(own.members) }
        guard !fields.fields.isEmpty else { return nil }
        let called = names.title.isEmpty ? nil : ContentID.joined((names.artist.map { [$0] } ?? []) + [names.title])
        return ImportedRecord(
            line: line, fields: fields.fields, section: own?.section ?? section,
            identity: location ?? info?.attribute("tvg-id") ?? called,
            impliedType: location.flatMap { MediaKind.type(location: $0) })
    }

    private func leaves(_ name: String) -> Bool { own?.leaves(name) ?? true }

    private func names(artist: [UInt8]?) -> (artist: [UInt8]?, title: [UInt8]) {
        guard let info, !info.title.isEmpty else { return (artist, []) }
        if let artist {
            let named = PlaylistTitle.split(info.title, artist: artist)
            // An album's artist on each of its tracks, which have artists of their own.
            if named.title == info.title, texts["EXTART"] == nil, info.attribute("artist") == nil, !info.isChannel {
                let own = PlaylistTitle.split(info.title)
                return (own.artist ?? artist, own.title)
            }
            return named
        }
        return info.isChannel ? (nil, info.title) : PlaylistTitle.split(info.title)
    }
}

extension [UInt8] {
    /// Whether the bytes are one of these names, whatever the case of their letters; the names are in lower case.
    func isEqual(to names: String...) -> Bool {
        names.contains { name in
            count == name.utf8.count && zip(self, name.utf8).allSatisfy { ($0.isLetter ? $0 | 0x20 : $0) == $1 }
        }
    }
}
