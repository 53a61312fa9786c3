import JSONText
import MedleyCore

/// A collection of items of about 200 bytes of JSON each, in ten sections.
enum SampleCollection {
    static let music = ItemType("music")

    static func id(_ number: Int) -> ItemID { ItemID("m\(number)") }

    static func content(_ number: Int) -> ItemContent {
        let text =
            #""title":"A song with the number \#(number)","artist":"Artist \#(number % 997)","album":"Album"#
            + #" \#(number % 4999)","duration":\#(120 + number % 300),"url":"https://example.com/media/\#(number).mp3""#
        return ItemContent(id: id(number), type: music, liked: nil, model: JSONMembers(trusted: Array(text.utf8)))
    }

    static func make(_ count: Int) throws -> Snapshot {
        let sections = (0..<10).map { section in
            SnapshotContent.Section(
                content: SectionContent(id: SectionID("s\(section)"), members: title("Section \(section)")),
                items: (section * count / 10..<(section + 1) * count / 10).map(content))
        }
        return try Snapshot(lineage: "bench", content: SnapshotContent(members: title("Bench"), sections: sections))
    }

    static func title(_ text: String) -> JSONMembers {
        JSONMembers(trusted: Array("\"title\":\"\(text)\"".utf8))
    }

    /// The bytes of the items as JSON.
    static func encodedByteCount(_ snapshot: Snapshot) -> Int {
        snapshot.orderedSections.reduce(0) { count, section in
            section.items().reduce(count) { count, item in
                // {"id":"","type":"","liked":false, … }
                count + 34 + item.id.utf8.count + item.type.name.utf8.count + item.model.bytes.count
            }
        }
    }
}
