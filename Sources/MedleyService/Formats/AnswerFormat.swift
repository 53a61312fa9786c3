import HTTPCore
import MedleyFormats

/// The form in which a collection is answered: JSON, or one that players, feed readers and spreadsheets open.
struct AnswerFormat: Hashable, Sendable {
    /// What is written; `snapshot` stands for JSON as the protocol has it.
    let format: MediaFormat
    /// The media type without parameters, as it was asked for where a format has several.
    let mediaType: String

    /// JSON.
    static let json = AnswerFormat(format: .snapshot, mediaType: RoutingTable.json)

    private init(format: MediaFormat, mediaType: String) {
        self.format = format
        self.mediaType = mediaType
    }

    /// The format that the parameter `format` names: 400 if there is none such.
    init(named name: String) throws(Problem) {
        guard let found = Self.names.first(where: { $0.name == name }) else {
            let names = Self.names.map(\.name).joined(separator: ", ")
            throw Query.invalid("There is no format \"\(name)\"; there are: \(names).")
        }
        self = found.format == .snapshot ? .json : Self(format: found.format, mediaType: found.format.mediaType)
    }

    /// The form that `Accept` likes best, of equals JSON; `nil` if it admits none.
    init?(accept values: [String], isJSONOnly: Bool = false) {
        // What nearly all clients send.
        if values.isEmpty || values == ["*/*"] {
            self = .json
            return
        }
        let offers = isJSONOnly ? [Self.jsonOffer, Self.problemOffer] : Self.offers
        guard let type = Negotiation.mediaType(of: offers.map(\.mediaType), accept: values),
            let offer = offers.first(where: { $0.mediaType == type })
        else { return nil }
        self = offer.format == .snapshot ? .json : Self(format: offer.format, mediaType: type)
    }

    /// The names that the parameter `format` may have.
    static let names: [(name: String, format: MediaFormat)] = [
        ("json", .snapshot), ("m3u", .m3u), ("m3u8", .m3u), ("pls", .pls), ("xspf", .xspf), ("jspf", .jspf),
        ("rss", .rss), ("csv", .csv), ("tsv", .tsv), ("jsonl", .jsonLines), ("ndjson", .jsonLines),
    ]

    /// The media types, the best known of each format.
    static let mediaTypes = [
        RoutingTable.json, "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "application/jspf+json",
        "application/rss+xml", "text/csv", "text/tab-separated-values", "application/x-ndjson",
    ]

    private static let jsonOffer = (mediaType: RoutingTable.json, format: MediaFormat.snapshot)
    /// Who takes problems only is answered too; it is what a wildcard means least.
    private static let problemOffer = (mediaType: "application/problem+json", format: MediaFormat.snapshot)

    /// What `Accept` can choose from. The first of those that a wildcard admits equally is taken.
    private static let offers: [(mediaType: String, format: MediaFormat)] = [
        jsonOffer, ("audio/x-mpegurl", .m3u), ("audio/mpegurl", .m3u), ("application/vnd.apple.mpegurl", .m3u),
        ("application/x-mpegurl", .m3u), ("audio/x-scpls", .pls), ("application/xspf+xml", .xspf),
        ("application/jspf+json", .jspf), ("application/rss+xml", .rss), ("text/csv", .csv),
        ("text/tab-separated-values", .tsv), ("application/x-ndjson", .jsonLines), ("application/jsonl", .jsonLines),
        problemOffer,
    ]

    /// The name by which tags and the parameter know it.
    var name: String { Self.names.first { $0.format == format }?.name ?? "json" }

    /// The value of `Content-Type`. XML and JSON say by themselves how they are encoded, and the types of playlists have no
    /// parameter for it.
    var contentType: String { mediaType.hasPrefix("text/") ? "\(mediaType); charset=utf-8" : mediaType }

    /// A name for a file with a collection. An id has no character that would need quoting.
    func fileName(of collection: String) -> String {
        "\(collection).\(format.fileExtensions.first ?? name)"
    }
}
