import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct CollectionWriterTests {
    static func members(_ text: String) -> JSONMembers { JSONMembers(trusted: Array(text.utf8)) }

    static func item(_ id: String, _ type: String, _ liked: Bool, _ model: String) -> ItemContent {
        ItemContent(id: ItemID(id), type: ItemType(type), liked: liked, model: members(model))
    }

    /// One of each kind: a song with all, an item of which little is said, an empty section.
    static let collection = {
        var collection = GeneratedCollection(head: members(#""title":"Mix & more","mood":"calm""#))
        collection.sections = [
            .init(
                content: SectionContent(id: "Songs", members: members(#""title":"Songs""#)),
                items: [
                    item(
                        "s1", "music", true,
                        #""title":"=The \"Weight\"","artist":"The Band","album":"Pink","url":"https://example.com/w.mp3?a=1&b","#
                            + #""duration":277.5,"artworkURL":"https://example.com/w.png","publishedAt":"1968-08-12T09:05:00+02:00","year":1968,"tags":["a",1]"#
                    )
                ]),
            .init(content: SectionContent(id: "e", members: members(#""title":"Empty""#)), items: []),
            .init(
                content: SectionContent(id: "v", members: members(#""title":"Video, <old>","color":"red""#)),
                items: [
                    item("v 1", "video", false, #""path":"C:\\a b.mp4","description":"x\ny""#),
                    item("v2", "video", false, ""),
                ]),
        ]
        return collection
    }()

    @Test(arguments: expected)
    func writes(format: MediaFormat, text: String) {
        #expect(String(decoding: Self.collection.written(format), as: UTF8.self) == text)
    }

    @Test func guardsCellsFromBeingFormulas() throws {
        func written(_ title: String, _ writer: TableWriter) -> String {
            var writer = writer
            var output: [UInt8] = []
            var title = title
            var json: [UInt8] = []
            JSONWriter.append(string: title, to: &json)
            title = String(decoding: json, as: UTF8.self)
            writer.begin(CollectionHead(members: .empty, memberNames: [Array("title".utf8)]), to: &output)
            output = []
            writer.append(Self.item("1", "a", false, "\"title\":\(title)"), to: &output)
            return String(String(decoding: output, as: UTF8.self).dropFirst("1,a,false,,,".count).dropLast(1))
        }
        let cases = [
            ("=1+1", "'=1+1"), ("+1 555", "'+1 555"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
            ("-5", "-5"), ("-1.5e3", "-1.5e3"), ("'=x", "''=x"), ("'tis", "'tis"), ("x=1", "x=1"), ("", ""),
            ("=a,b", "\"'=a,b\""), ("a\0b", "ab"), ("'\0=x", "''=x"),
        ]
        for (title, cell) in cases {
            #expect(written(title, TableWriter()) == cell)
        }
    }

    /// The artist has a line of its own only where the title's would be parted in another way.
    @Test(arguments: [
        (#""title":"T","artist":"A""#, "A - T\n#MEDLEY"), (#""title":"T - U","artist":"A""#, "A - T - U\n#MEDLEY"),
        (#""title":"T","artist":"A - B""#, "A - B - T\n#EXTART:A - B\n#MEDLEY"),
        (#""title":"T","artist":"A","tvg-id":"x""#, "A - T\n#EXTART:A\n#MEDLEY"), (#""title":"T""#, "T\n#MEDLEY"),
        (#""artist":"A""#, "A\n#MEDLEY"),
    ])
    func namesArtistsInM3U(model: String, lines: String) {
        var output: [UInt8] = []
        var writer = M3UWriter()
        writer.append(Self.item("1", "a", false, model), to: &output)
        #expect(String(decoding: output, as: UTF8.self).contains(",\(lines)"))
    }

    @Test(arguments: [
        ("1970-11-09T00:00:00Z", "Mon, 09 Nov 1970 00:00:00 GMT"),
        ("2024-02-29T23:59:60.123z", "Thu, 29 Feb 2024 23:59:59 GMT"),
        ("2000-01-01T12:00:00.5-08:30", "Sat, 01 Jan 2000 12:00:00 -0830"),
        ("0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT"),
        ("1900-03-01T01:02:03+00:00", "Thu, 01 Mar 1900 01:02:03 +0000"),
    ])
    func writesDatesOfFeeds(timestamp: String, date: String) {
        var output: [UInt8] = []
        var writer = RSSWriter()
        writer.append(Self.item("1", "a", false, "\"publishedAt\":\"\(timestamp)\""), to: &output)
        #expect(String(decoding: output, as: UTF8.self).contains("<pubDate>\(date)</pubDate>"))
    }

    @Test func namesTheFeedsAddressAndTheEnclosure() {
        var output: [UInt8] = []
        var writer = RSSWriter()
        writer.begin(CollectionHead(members: .empty, address: "https://example.com/c?a&b"), to: &output)
        writer.append(
            Self.item(
                "1", "a", false,
                #""url":"https://example.com/x","size":17,"mimeType":"audio/x-y","link":"https://example.com""#),
            to: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(
            text.contains("<title>Untitled</title>\n<link>https://example.com/c?a&amp;b</link>\n<description>Untitled<")
        )
        #expect(text.contains(#"<enclosure url="https://example.com/x" length="17" type="audio/x-y"/>"#))
        #expect(
            text.contains("<link>https://example.com</link>\n<category>") == false
                && text.contains("<link>https://example.com</link>"))
    }

    @Test func leavesOutWhatXMLDoesNotAllow() {
        var output: [UInt8] = []
        var writer = XSPFWriter()
        writer.append(
            Self.item("<\"&", "a", false, #""title":"a\u0000b\u000c]]>\r\uffff","k\t\"\u0001":"\#u{FFFE}""#),
            to: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("<title>ab]]&gt;&#13;</title>"))
        #expect(text.contains(#"id="&lt;&quot;&amp;""#))
        #expect(text.contains(#"<medley:member name="k&#9;&quot;">"\ufffe"</medley:member>"#))
        #expect(text.contains(#"<medley:member name="title">"a\u0000b\u000c]]&gt;\r\uffff"</medley:member>"#))
    }

    @Test func tellsFormatsByExtension() {
        #expect(MediaFormat(fileExtension: "M3U") == .m3u && MediaFormat(fileExtension: "m3u8") == .m3u)
        #expect(MediaFormat(fileExtension: "json") == nil && MediaFormat(fileExtension: "") == nil)
        #expect(MediaFormat(fileExtension: "tab") == .tsv)
    }
}
