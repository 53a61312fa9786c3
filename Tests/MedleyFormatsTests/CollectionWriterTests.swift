import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct CollectionWriterTests {
    private static func members(_ text: String) -> JSONMembers { JSONMembers(trusted: Array(text.utf8)) }

    private static func item(_ id: String, _ type: String, _ liked: Bool, _ model: String) -> ItemContent {
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

    static let expected: [(MediaFormat, String)] = [
        (
            .snapshot,
            """
            {"title":"Mix & more","mood":"calm","sections":[
            {"id":"Songs","title":"Songs","items":[
            {"id":"s1","type":"music","liked":true,"title":"=The \\"Weight\\"","artist":"The Band","album":"Pink","url":"https://example.com/w.mp3?a=1&b","duration":277.5,"artworkURL":"https://example.com/w.png","publishedAt":"1968-08-12T09:05:00+02:00","year":1968,"tags":["a",1]}]},
            {"id":"e","title":"Empty","items":[]},
            {"id":"v","title":"Video, <old>","color":"red","items":[
            {"id":"v 1","type":"video","liked":false,"path":"C:\\\\a b.mp4","description":"x\\ny"},
            {"id":"v2","type":"video","liked":false}]}]}

            """
        ),
        (
            .jsonLines,
            """
            {"id":"s1","type":"music","liked":true,"section":{"id":"Songs","title":"Songs"},"title":"=The \\"Weight\\"","artist":"The Band","album":"Pink","url":"https://example.com/w.mp3?a=1&b","duration":277.5,"artworkURL":"https://example.com/w.png","publishedAt":"1968-08-12T09:05:00+02:00","year":1968,"tags":["a",1]}
            {"id":"v 1","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"},"path":"C:\\\\a b.mp4","description":"x\\ny"}
            {"id":"v2","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"}}

            """
        ),
        (
            .m3u,
            """
            #EXTM3U mood="calm"
            #PLAYLIST:Mix & more
            #EXTINF:277.5 tvg-logo="https://example.com/w.png" group-title="Songs",The Band - =The "Weight"
            #EXTART:The Band
            #EXTALB:Pink
            #MEDLEY:{"id":"s1","type":"music","liked":true,"members":{"publishedAt":"1968-08-12T09:05:00+02:00","year":1968,"tags":["a",1]}}
            https://example.com/w.mp3?a=1&b
            #EXTINF:-1 group-title="Video, <old>",
            #MEDLEY:{"id":"v 1","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"},"members":{"description":"x\\ny"}}
            C:\\a b.mp4
            #EXTINF:-1 group-title="Video, <old>",
            #MEDLEY:{"id":"v2","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"}}

            """
        ),
        (
            .pls,
            """
            [playlist]
            File1=https://example.com/w.mp3?a=1&b
            Title1=The Band - =The "Weight"
            Length1=277.5
            File2=C:\\a b.mp4
            Title2=v 1
            Length2=-1
            Title3=v2
            Length3=-1
            NumberOfEntries=3
            Version=2

            """
        ),
        (
            .jspf,
            """
            {"playlist":{"title":"Mix & more","extension":{"urn:x-medley":[{"members":{"mood":"calm"}}]},"track":[
            {"location":["https://example.com/w.mp3?a=1&b"],"title":"=The \\"Weight\\"","creator":"The Band","image":"https://example.com/w.png","album":"Pink","duration":277500,"extension":{"urn:x-medley":[{"id":"s1","type":"music","liked":true,"section":{"id":"Songs","title":"Songs"},"members":{"artist":"The Band","publishedAt":"1968-08-12T09:05:00+02:00","year":1968,"tags":["a",1]}}]}},
            {"location":["file:///C:/a%20b.mp4"],"annotation":"x\\ny","extension":{"urn:x-medley":[{"id":"v 1","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"},"members":{"path":"C:\\\\a b.mp4"}}]}},
            {"extension":{"urn:x-medley":[{"id":"v2","type":"video","liked":false,"section":{"id":"v","title":"Video, <old>","color":"red"}}]}}]}}

            """
        ),
        (
            .xspf,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:medley="urn:x-medley">
            <title>Mix &amp; more</title>
            <trackList>
            <track>
            <location>https://example.com/w.mp3?a=1&amp;b</location>
            <title>=The "Weight"</title>
            <creator>The Band</creator>
            <image>https://example.com/w.png</image>
            <album>Pink</album>
            <duration>277500</duration>
            <extension application="urn:x-medley"><medley:item id="s1" type="music" liked="true" section="Songs" sectionTitle="Songs"><medley:member name="artist">"The Band"</medley:member><medley:member name="publishedAt">"1968-08-12T09:05:00+02:00"</medley:member><medley:member name="year">1968</medley:member><medley:member name="tags">["a",1]</medley:member></medley:item></extension>
            </track>
            <track>
            <location>file:///C:/a%20b.mp4</location>
            <annotation>x
            y</annotation>
            <extension application="urn:x-medley"><medley:item id="v 1" type="video" liked="false" section="v" sectionTitle="Video, &lt;old&gt;"><medley:member name="path">"C:\\\\a b.mp4"</medley:member></medley:item></extension>
            </track>
            <track>
            <extension application="urn:x-medley"><medley:item id="v2" type="video" liked="false" section="v" sectionTitle="Video, &lt;old&gt;"/></extension>
            </track>
            </trackList>
            </playlist>

            """
        ),
        (
            .rss,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
            <channel>
            <title>Mix &amp; more</title>
            <link>urn:x-medley</link>
            <description>Mix &amp; more</description>
            <item>
            <title>=The "Weight"</title>
            <link>https://example.com/w.mp3?a=1&amp;b</link>
            <itunes:author>The Band</itunes:author>
            <category>Songs</category>
            <enclosure url="https://example.com/w.mp3?a=1&amp;b" length="0" type="audio/mpeg"/>
            <guid isPermaLink="false">s1</guid>
            <pubDate>Mon, 12 Aug 1968 09:05:00 +0200</pubDate>
            <itunes:duration>278</itunes:duration>
            <itunes:image href="https://example.com/w.png"/>
            </item>
            <item>
            <title>v 1</title>
            <description>x
            y</description>
            <category>Video, &lt;old&gt;</category>
            <guid isPermaLink="false">v 1</guid>
            </item>
            <item>
            <title>v2</title>
            <category>Video, &lt;old&gt;</category>
            <guid isPermaLink="false">v2</guid>
            </item>
            </channel>
            </rss>

            """
        ),
        (
            .csv,
            """
            id,type,liked,section,sectionTitle,title,artist,album,description,url,artworkURL,duration,publishedAt,year,tags,path\r
            s1,music,true,Songs,Songs,"'=The ""Weight""\",The Band,Pink,,https://example.com/w.mp3?a=1&b,https://example.com/w.png,277.5,1968-08-12T09:05:00+02:00,1968,"[""a"",1]",\r
            v 1,video,false,v,"Video, <old>",,,,"x
            y",,,,,,,C:\\a b.mp4\r
            v2,video,false,v,"Video, <old>",,,,,,,,,,,\r

            """
        ),
    ]

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
            #expect(
                written(title, TableWriter(guardsFormulas: false))
                    == cell.replacing("'" + title.prefix(1), with: title.prefix(1)))
        }
        var marked: [UInt8] = []
        var writer = TableWriter(hasByteOrderMark: true)
        writer.begin(CollectionHead(members: .empty), to: &marked)
        #expect(marked.starts(with: [0xEF, 0xBB, 0xBF, UInt8(ascii: "i")]))
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

    /// The pieces of an export are what a writer makes in one go, whatever their size.
    @Test(arguments: MediaFormat.allCases.filter { $0.makeWriter() != nil }, [1, 100, 1 << 16])
    func exportsASnapshotInPieces(format: MediaFormat, size: Int) throws {
        var random = SeededRandom()
        var collection = GeneratedCollection(&random)
        collection.sections.append(
            .init(content: SectionContent(id: "empty", members: Self.members(#""title":"""#)), items: []))
        let content = SnapshotContent(
            members: collection.head,
            sections: collection.sections.map { .init(content: $0.content, items: $0.items) })
        let snapshot = try Snapshot(lineage: "a", content: content)
        var export = try #require(CollectionExport(snapshot, format: format))
        var bytes: [UInt8] = []
        while let piece = export.next(size: size) {
            #expect(!piece.isEmpty)
            bytes += piece
        }
        #expect(export.next() == nil)
        #expect(bytes == collection.written(format), "\(random.note)")
        #expect(CollectionExport(snapshot, format: .jsonArray) == nil)
    }

    @Test func tellsFormatsByExtension() {
        #expect(MediaFormat(fileExtension: "M3U") == .m3u && MediaFormat(fileExtension: "m3u8") == .m3u)
        #expect(MediaFormat(fileExtension: "json") == nil && MediaFormat(fileExtension: "") == nil)
        #expect(MediaFormat(fileExtension: "tab") == .tsv)
    }

    @Test func saysInTheTableWhatComesBack() throws {
        // Another format that keeps all is one more for `RoundTripTests`.
        #expect(
            MediaFormat.allCases.filter { $0.holdsAllMembers && $0.makeWriter() != nil } == [
                .snapshot, .jsonLines, .m3u, .xspf, .jspf,
            ])
    }
}
