import Foundation
import JSONText
import MedleyClient
import MedleyCore
import MedleyJSON
import Testing

@Suite struct ItemCodingTests {
    private struct Song: Codable, Equatable {
        var id: String
        var liked: Bool
        var title: String
        var year: Int?
    }

    @Test func anItemIsATypeOfTheApps() throws {
        let song = Song(id: "x \"1\"", liked: true, title: "Layla", year: 1970)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try ItemContent(
            id: ItemID(song.id), type: ItemType("music"), liked: song.liked, encoding: song, by: encoder)
        #expect(String(decoding: content.model.bytes, as: UTF8.self) == #""title":"Layla","year":1970"#)
        let snapshot = try Snapshot(
            lineage: "a", content: SnapshotDecoder().content(Array(#"{"sections":[{"id":"s"}]}"#.utf8))
        ).applying([Change(.insert([content], at: .last(in: "s")))])
        #expect(try snapshot.item(content.id)?.decoded(as: Song.self) == song)
    }

    @Test func aModelIsAnObject() {
        #expect(throws: EncodingError.self) { try ItemContent(id: "x", type: ItemType("music"), encoding: [1]) }
    }
}
