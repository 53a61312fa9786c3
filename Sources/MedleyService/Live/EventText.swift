import JSONText

/// The text of Server-Sent Events (HTML Standard, 9.2).
enum EventText {
    /// The media type of a stream.
    static let mediaType = "text/event-stream"

    /// An event. Data must be one line, as JSON without line ends is.
    static func event(_ name: String, id: String? = nil, data: some Sequence<UInt8>) -> [UInt8] {
        var text = opening(name, id: id)
        text.append(contentsOf: data)
        text.append(contentsOf: end)
        return text
    }

    /// What an event begins with, up to its data.
    static func opening(_ name: String, id: String? = nil) -> [UInt8] {
        var text: [UInt8] = []
        if let id { text.append(contentsOf: self.id(id)) }
        text.append(contentsOf: "event: \(name)\ndata: ".utf8)
        return text
    }

    /// What an event ends with, behind its data.
    static let end: [UInt8] = Array("\n\n".utf8)

    /// The line that says which event a client has seen last. It must hold no line end.
    static func id(_ id: String) -> [UInt8] { Array("id: \(id)\n".utf8) }

    /// How long a client waits before it comes back, in milliseconds.
    static func retry(_ milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }

    /// A sign of life, which clients pass over.
    static let comment: [UInt8] = Array(":\n\n".utf8)

    /// `{"collection":…,`: what the data of a stream of several collections begins with, in place of its brace.
    static func opening(naming collection: String) -> [UInt8] {
        var text = Array("{\"collection\":".utf8)
        JSONWriter.append(string: collection, to: &text)
        text.append(UInt8(ascii: ","))
        return text
    }

    /// `{"collection":…}`
    static func object(naming collection: String) -> [UInt8] {
        Array(opening(naming: collection).dropLast()) + [UInt8(ascii: "}")]
    }
}
