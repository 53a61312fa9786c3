import JSONText

/// An item's members as XSPF and JSPF have them: what a track has a place for, and the rest.
struct TrackMembers {
    /// Where the medium lies, as a URI reference.
    let location: [UInt8]?
    /// The track's own members with their values as JSON, in the order of the XSPF specification.
    private(set) var values: [(key: String, value: [UInt8])] = []
    /// The members that do not come back from the above.
    let rest: JSONMembers

    /// Parts the members. `isText` says which texts the format holds as they are.
    init(_ members: ItemMembers, isText: ([UInt8]) -> Bool = { _ in true }) {
        var members = members
        let (url, path) = (members.text("url"), members.text("path"))
        location = url ?? path.map { MediaLocation.reference(toPath: $0) }
        if let location, url == nil || members.value("path") == nil, isText(location) {
            let read = MediaLocation(location)
            if read == (url == nil ? path.map { .path($0) } : url.map { .url($0) }) { members.say(read.member) }
        }
        let artist = members.text("artist")
        let texts = [
            ("title", "title"), (artist == nil ? "creator" : "artist", "creator"), ("description", "annotation"),
            ("link", "info"), ("artworkURL", "image"), ("album", "album"),
        ]
        for (name, key) in texts {
            guard let text = members.text(name), let value = members.value(name) else { continue }
            values.append((key, value))
            // Whose creator it is, the artist's text does not say.
            if name != "artist", isText(text) { members.say(name) }
        }
        if let value = members.value("trackNumber"), value.allSatisfy(\.isDigit) {
            values.append(("trackNum", value))
            members.say("trackNumber")
        }
        if let value = members.value("duration"), let duration = PlaylistDuration.milliseconds(seconds: value) {
            let text = Array("\(duration)".utf8)
            values.append(("duration", text))
            if MediaDuration.seconds(milliseconds: text) == value { members.say("duration") }
        }
        rest = members.rest
    }
}
