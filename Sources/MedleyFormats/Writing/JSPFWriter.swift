import JSONText
public import MedleyCore

/// Writes JSPF, the JSON form of XSPF; what a track has no member for is in an extension.
public struct JSPFWriter: CollectionWriter {
    private var section: SectionContent?
    private var hasTracks = false

    /// Creates a writer for one playlist.
    public init() {}

    /// Writes the playlist's members.
    public mutating func begin(_ head: CollectionHead, to output: inout [UInt8]) {
        var members = ItemMembers(head.members)
        JSONWriter.append(token: "{\"playlist\":{", to: &output)
        for (name, key) in [("title", "title"), ("creator", "creator"), ("description", "annotation")] {
            guard members.text(name) != nil, let value = members.value(name) else { continue }
            output += Array("\"\(key)\":".utf8) + value + [UInt8(ascii: ",")]
            members.say(name)
        }
        let rest = members.rest
        if !rest.isEmpty {
            output += Array("\"extension\":{\"\(ItemExtension.application)\":[{\"members\":{".utf8) + rest.bytes
            JSONWriter.append(token: "}}]},", to: &output)
        }
        JSONWriter.append(token: "\"track\":[", to: &output)
    }

    /// Starts a section, which each of its tracks names.
    public mutating func begin(_ section: SectionContent, to output: inout [UInt8]) {
        self.section = section
    }

    /// Writes a track.
    public mutating func append(_ item: ItemContent, to output: inout [UInt8]) {
        JSONWriter.append(token: hasTracks ? ",\n{" : "\n{", to: &output)
        hasTracks = true
        let track = TrackMembers(ItemMembers(item.model))
        if let location = track.location {
            output.append(token: "\"location\":[")
            JSONWriter.append(string: location, to: &output)
            output.append(token: "],")
        }
        for (key, value) in track.values {
            output.append(UInt8(ascii: "\""))
            output += key.utf8
            output.append(token: "\":")
            output += value
            output.append(UInt8(ascii: ","))
        }
        output.append(token: "\"extension\":{\"")
        output += ItemExtension.application.utf8
        output.append(token: "\":[")
        ItemExtension.append(item, section: section, members: track.rest, to: &output)
        JSONWriter.append(token: "]}}", to: &output)
    }

    /// Closes what is open.
    public mutating func end(to output: inout [UInt8]) {
        JSONWriter.append(token: "]}}\n", to: &output)
    }
}
