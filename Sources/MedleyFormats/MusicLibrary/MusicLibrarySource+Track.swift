import MedleyCore
import MedleyJSON

extension MusicLibrarySource {
    /// The record of a track; `nil` if it says neither what nor where it is.
    static func draft(_ entries: [(key: String, value: PropertyValue)], line: Int, _ shared: FieldNames) -> EntryDraft?
    {
        func text(_ key: String) -> String? {
            entries.first { $0.key == key }?.value.text.flatMap { $0.isEmpty ? nil : $0 }
        }
        func isTrue(_ key: String) -> Bool { entries.contains { $0.key == key && $0.value.isTrue } }
        let persistent = text("Persistent ID")
        guard persistent != nil || text("Name") != nil || text("Location") != nil else { return nil }
        var fields = FieldList(source: "track", names: shared)
        if isTrue("Loved") || isTrue("Favorited") { fields.set("liked", .json(Array("true".utf8))) }
        fields.choose(.title, [("name", text("Name"))])
        fields.choose(.artist, [("artist", text("Artist"))])
        fields.choose(.album, [("album", text("Album"))])
        fields.choose(.url, [("location", text("Location"))])
        if let time = text("Total Time") {
            if let seconds = MediaDuration.seconds(milliseconds: Array(time.utf8).trimmed) {
                fields.set("duration", .json(seconds))
            } else {
                fields.own("totalTime", time)
            }
        }
        fields.choose(.publishedAt, [("releaseDate", text("Release Date"))])
        for entry in entries where !known.contains(entry.key) {
            fields.own(names[entry.key] ?? entry.key.camelCased, entry.value.value)
        }
        EntryDraft.keep(persistent, as: "persistentID", in: &fields)
        fields.seal()
        let isVideo = ["Movie", "TV Show", "Music Video", "Has Video"].contains(where: isTrue)
        let named = EntryDraft.id(all: [text("Artist"), text("Name")])
        return EntryDraft(
            line: line, fields: fields,
            id: EntryDraft.id([persistent, text("Location")]) ?? named ?? EntryDraft.id([text("Name")]),
            type: isVideo ? MediaKind.video : MediaKind.music)
    }

    /// What is read above; a track's number, which is another in each export; and where the program keeps it.
    private static let known: Set<String> = [
        "Persistent ID", "Name", "Artist", "Album", "Location", "Total Time", "Release Date", "Loved", "Favorited",
        "Track ID",
    ]

    /// Names that read better than the library's own.
    private static let names = ["Track Count": "trackCount", "Play Date UTC": "playedAt", "Skip Date": "skippedAt"]
}
