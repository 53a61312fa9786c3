import MedleyCore
import MedleyJSON

/// The music library that iTunes and Music export, a property list: each track an item, each playlist of the user's a
/// section.
///
/// An item is in one section: a track is in the first playlist that names it, else in `Library`; one that is in more
/// has all their names in `playlists`. The lists that the program keeps itself (all of Music, Podcasts, …) and folders,
/// which repeat what is in them, are no sections.
final class MusicLibrarySource: XMLSource {
    private struct Playlist {
        var section: SectionContent
        var title: String
        var line: Int
        var tracks: [String]
    }

    /// Drafts by the number that playlists name them by, and these in the document's order.
    private var tracks: [String: EntryDraft] = [:]
    private var order: [String] = []
    private var playlists: [Playlist] = []
    private var refusals: [ImportRefusal] = []
    private var notices: [ImportedEntry] = []
    private let names = FieldNames()

    func visit(_ element: XMLNode, in path: [String]) throws(FormatError) -> Bool {
        guard element.name == "dict" else { return false }
        switch path {
        case ["plist", "dict", "dict"]:
            try check(count: order.count + refusals.count + 1)
            take(track: element)
        case ["plist", "dict", "array"]: try take(playlist: element)
        default: return false
        }
        return true
    }

    func entries(_ root: XMLNode) throws(FormatError) -> [ImportedEntry] {
        let keys = root.child("dict")?.children("key").map(\.text) ?? []
        guard keys.contains("Tracks") else {
            throw FormatError(.malformed, "the property list is no music library: it has no Tracks", line: root.line)
        }
        return try sorted()
    }

    private func take(track: XMLNode) {
        guard let value = PropertyValue(track), case .dictionary(let entries) = value.kind else {
            refusals.append(ImportRefusal(line: track.line, reason: "a track whose keys and values do not alternate"))
            return
        }
        let number = entries.first { $0.key == "Track ID" }?.value.text
        guard let draft = Self.draft(entries, line: track.line, names) else {
            refusals.append(
                ImportRefusal(line: track.line, reason: "a track with neither a name, a location nor a persistent id"))
            return
        }
        let key = number ?? "line \(track.line)"
        guard tracks[key] == nil else {
            refusals.append(ImportRefusal(line: track.line, reason: "another track has the Track ID \(key)"))
            return
        }
        tracks[key] = draft
        order.append(key)
    }

    private func take(playlist: XMLNode) throws(FormatError) {
        guard let value = PropertyValue(playlist), case .dictionary(let entries) = value.kind else {
            refusals.append(
                ImportRefusal(line: playlist.line, reason: "a playlist whose keys and values do not alternate"))
            return
        }
        func entry(_ key: String) -> PropertyValue? { entries.first { $0.key == key }?.value }
        if entry("Master")?.isTrue == true || entry("Folder")?.isTrue == true || entry("Distinguished Kind") != nil {
            return
        }
        var numbers: [String] = []
        if case .array(let items) = entry("Playlist Items")?.kind {
            for item in items {
                guard case .dictionary(let pairs) = item.kind,
                    let number = pairs.first(where: { $0.key == "Track ID" })?.value.text
                else { continue }
                numbers.append(number)
            }
        }
        var fields = FieldList(source: "playlist")
        fields.choose(.description, [("description", entry("Description")?.text)])
        let title = entry("Name")?.text ?? "Playlist"
        let section = SectionContent(title: title, id: [entry("Playlist Persistent ID")?.text], fields: fields)
        playlists.append(Playlist(section: section, title: title, line: playlist.line, tracks: numbers))
    }

    private func sorted() throws(FormatError) -> [ImportedEntry] {
        var homes: [String: Int] = [:]
        var titles: [String: [String]] = [:]
        var drafts: [EntryDraft] = []
        var titleBytes = 0
        for (index, playlist) in playlists.enumerated() {
            var missing = 0
            var own: Set<String> = []
            for number in playlist.tracks where own.insert(number).inserted {
                guard tracks[number] != nil else {
                    missing += 1
                    continue
                }
                titleBytes += playlist.title.utf8.count
                try check(repeatedBytes: titleBytes)
                titles[number, default: []].append(playlist.title)
                if homes[number] == nil { homes[number] = index }
            }
            if missing > 0 {
                notices.append(
                    .notice(
                        ImportNotice(line: playlist.line, message: "a playlist names tracks that the library lacks")))
            }
        }
        func add(_ number: String, _ section: SectionContent) {
            guard var draft = tracks.removeValue(forKey: number) else { return }
            draft.section = section
            if let names = titles[number], names.count > 1 { draft.fields.own("playlists", .json(names.jsonArray)) }
            drafts.append(draft)
        }
        for (index, playlist) in playlists.enumerated() {
            for number in playlist.tracks where homes[number] == index { add(number, playlist.section) }
        }
        var sections = playlists.map(\.section)
        if !tracks.isEmpty {
            let library = SectionContent(title: "Library", id: [], fields: FieldList(source: "library"))
            sections.append(library)
            for number in order { add(number, library) }
        }
        let refused = refusals.sorted { $0.line < $1.line }.map { ImportedEntry.refusal($0) }
        return sections.map { .section($0) } + refused + notices + drafts.entries()
    }
}
