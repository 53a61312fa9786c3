import JSONText
public import MedleyCore

/// Writes an extended M3U playlist, UTF-8: what every player reads, and behind `#MEDLEY:`, which they skip, the rest of
/// each item as JSON.
///
/// `title`, `artist`, `album`, `genre`, `duration`, `artworkURL` (`tvg-logo`), `url` or `path`, texts named `tvg-…`, and
/// `EXTVLCOPT`, `KODIPROP` and `EXTHTTP` have their own places; a section is a `group-title`. An item without `url` and
/// `path` has no location, and players skip it.
public struct M3UWriter: CollectionWriter {
    private static let options = ["EXTVLCOPT", "KODIPROP", "EXTHTTP"]
    private static let directives = [("album", "EXTALB"), ("genre", "EXTGENRE")]

    private var section: SectionContent?

    /// Creates a writer for one playlist.
    public init() {}

    /// Writes the first line and the playlist's name.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        output.append(token: "#EXTM3U")
        let members = ItemMembers(head.members)
        for member in members.all where !member.name.equals("title") {
            let name = Array(member.name.utf8)
            guard let text = member.text else { continue }
            if name.isAttributeName, text.isAttributeValue { attribute(name, text, to: &output) }
        }
        output.append(0x0A)
        if let title = members.text("title")?.asLine { directive("PLAYLIST", title, to: &output) }
    }

    /// Starts a section.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        self.section = section
    }

    /// Writes an entry.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        var members = ItemMembers(item.model)
        info(&members, to: &output)
        for (name, key) in Self.directives {
            guard let text = members.text(name), text.isLine else { continue }
            directive(key, text, to: &output)
            members.say(name)
        }
        for name in Self.options {
            guard let lines = members.text(name)?.split(separator: 0x0A, omittingEmptySubsequences: false),
                lines.allSatisfy({ Array($0).isLine })
            else { continue }
            for line in lines { directive(name, Array(line), to: &output) }
            members.say(name)
        }
        let location = location(&members)
        output.append(token: "#MEDLEY:")
        ItemExtension.append(item, section: statedSection, members: members.rest, to: &output)
        output.append(0x0A)
        if let location { output += location + [0x0A] }
    }

    /// Writes nothing.
    public mutating func end(to output: inout [UInt8]) {}

    /// The section, if its group does not say all.
    private var statedSection: SectionContent? {
        guard let section, let title = group, SectionContent(titled: title) == section else { return section }
        return nil
    }

    private var group: [UInt8]? {
        guard let title = section?.members.string(of: "title").map({ Array($0) }), title.isAttributeValue else {
            return nil
        }
        return title
    }

    /// Writes the lines `#EXTINF` and `#EXTART`.
    private func info(_ members: inout ItemMembers, to output: inout [UInt8]) {
        output.append(token: "#EXTINF:")
        if let duration = members.value("duration"), duration.isPlainNumber {
            output += duration
            members.say("duration")
        } else {
            output.append(token: "-1")
        }
        var isChannel = false
        for (index, member) in members.all.enumerated() where member.name.utf8.starts(with: "tvg-".utf8) {
            let name = Array(member.name.utf8)
            guard name.isAttributeName, !name.isEqual(to: "tvg-logo"), let text = member.text, text.isAttributeValue
            else { continue }
            attribute(name, text, to: &output)
            isChannel = true
            members.say(at: index)
        }
        if let artwork = members.text("artworkURL"), artwork.isAttributeValue {
            attribute(Array("tvg-logo".utf8), artwork, to: &output)
            isChannel = true
            members.say("artworkURL")
        }
        if let group { attribute(Array("group-title".utf8), group, to: &output) }
        output.append(UInt8(ascii: ","))
        let (artist, title) = (members.text("artist"), members.text("title"))
        let line = PlaylistTitle.joined(artist: artist, title: title)
        output += line.asLine
        output.append(0x0A)
        // The two come back from the line if it is parted where it was joined.
        guard let title, title.isLine, artist?.isLine ?? true else { return }
        guard let artist else {
            if PlaylistTitle.split(title).artist == nil { members.say("title") }
            return
        }
        // Where a reader would not part the line so by itself; else a name corrected in the line alone would be undone.
        if isChannel || PlaylistTitle.split(line) != (artist, title) { directive("EXTART", artist, to: &output) }
        members.say("title", "artist")
    }

    /// The line for the location, if there is one that can be a line.
    private func location(_ members: inout ItemMembers) -> [UInt8]? {
        let (url, path) = (members.text("url"), members.text("path"))
        guard let location = url ?? path, location.isLine, location.first != UInt8(ascii: "#") else { return nil }
        let read = MediaLocation(location)
        if url == nil || members.value("path") == nil, read == (url == nil ? .path(location) : .url(location)) {
            members.say(read.member)
        }
        return location
    }

    private func directive(_ name: String, _ value: [UInt8], to output: inout [UInt8]) {
        guard !value.isEmpty else { return }
        output.append(UInt8(ascii: "#"))
        output += name.utf8
        output.append(UInt8(ascii: ":"))
        output += value
        output.append(0x0A)
    }

    private func attribute(_ name: [UInt8], _ value: [UInt8], to output: inout [UInt8]) {
        output.append(0x20)
        output += name
        output.append(token: "=\"")
        output += value
        output.append(UInt8(ascii: "\""))
    }
}

extension [UInt8] {
    /// Whether the text can be the name of an attribute.
    fileprivate var isAttributeName: Bool {
        !isEmpty && allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") || ($0.isLetter && $0 & 0x20 != 0) }
    }

    /// Whether the text can stand between an attribute's quotes.
    fileprivate var isAttributeValue: Bool { isLine && !contains(UInt8(ascii: "\"")) }
}
