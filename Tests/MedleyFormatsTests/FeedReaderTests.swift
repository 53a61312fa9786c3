import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct FeedReaderTests {
    /// A feed with one item.
    static func feed(_ item: String, channel: String = "<title>T</title>") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
          xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
          xmlns:p="https://podcastindex.org/namespace/1.0">
        <channel>\(channel)<item>\(item)</item></channel></rss>
        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var item: String
        var model: String
        var id: String?
        var type: String?
        var testDescription: String { item }

        init(_ item: String, _ model: String, id: String? = nil, type: String? = nil) {
            (self.item, self.model, self.id, self.type) = (item, model, id, type)
        }
    }

    @Test(arguments: [
        Case("<guid>g</guid><title>A</title>", #""title":"A""#, id: "g"),
        Case(
            "<guid isPermaLink='false'><![CDATA[ g ]]></guid>\n<title>\n A &amp; <![CDATA[<B>]]> </title>",
            #""title":"A & <B>""#, id: "g"),
        // Ids without a guid: the medium's address, else the page's, else title and date.
        Case(
            "<enclosure url='https://e.example/a.mp3' type='audio/mpeg' length='12'/><link>https://e.example/p</link>",
            #""url":"https://e.example/a.mp3","link":"https://e.example/p","mimeType":"audio/mpeg","size":12"#,
            id: "https://e.example/a.mp3", type: "music"),
        Case("<link>https://e.example/p</link>", #""url":"https://e.example/p""#, id: "https://e.example/p"),
        Case(
            "<title>A|B</title><pubDate>1 Feb 2018</pubDate>",
            #""title":"A|B","publishedAt":"2018-02-01T00:00:00Z""#, id: #"A\|B|1 Feb 2018"#),
        Case("<guid></guid><title>A</title><description>d</description>", #""title":"A","description":"d""#, id: "A|d"),
        Case("<guid>https://e.example/p</guid>", #""url":"https://e.example/p""#, id: "https://e.example/p"),
        Case("<guid isPermaLink='false'>https://e.example/p</guid><title>A</title>", #""title":"A""#),
        Case(
            "<guid>\(String(repeating: "g", count: 300))</guid><title>A</title>",
            #""title":"A","guid":"\#(String(repeating: "g", count: 300))""#),
        // Types.
        Case(
            "<guid>g</guid><enclosure url='https://e.example/a' type='VIDEO/mp4'/>",
            #""url":"https://e.example/a","mimeType":"VIDEO/mp4""#, type: "video"),
        Case(
            "<guid>g</guid><enclosure url='https://e.example/a.M4V?x=1.mp3' length=''/>",
            #""url":"https://e.example/a.M4V?x=1.mp3""#, type: "video"),
        Case(
            "<guid>g</guid><enclosure url='https://e.example/a.pdf' type='application/pdf' length='1 MB'/>",
            #""url":"https://e.example/a.pdf","mimeType":"application/pdf","size":"1 MB""#, type: "-"),
        Case(
            "<guid>g</guid><enclosure url='https://e.example/a.mp3' length='0' type='audio/mpeg'/>",
            #""url":"https://e.example/a.mp3","mimeType":"audio/mpeg""#, type: "music"),
        // Addresses that are none.
        Case(
            "<guid>g</guid><enclosure url='/a.mp3' type='audio/mpeg'/><link>https://e.example/p</link>",
            #""mediaURL":"/a.mp3","url":"https://e.example/p","mimeType":"audio/mpeg""#, type: "music"),
        Case("<guid>g</guid><enclosure url=' https://e.example/a b.mp3 '/>", #""url":"https://e.example/a%20b.mp3""#),
        Case(
            "<guid>g</guid><title>A</title><itunes:image href='cover.jpg'/>", #""title":"A","itunesImage":"cover.jpg""#),
        // Several enclosures.
        Case(
            "<guid>g</guid><enclosure url='https://e.example/a.mp3'/><enclosure url='https://e.example/a.ogg' length='7'/>",
            #""url":"https://e.example/a.mp3","enclosures":[{"url":"https://e.example/a.mp3"},"#
                + #"{"length":"7","url":"https://e.example/a.ogg"}]"#, type: "music"),
        // What podcasts say.
        Case(
            "<guid>g</guid><itunes:title>A</itunes:title><itunes:author>B</itunes:author><dc:creator>B</dc:creator>"
                + "<author>b@e.example (B)</author><itunes:season>2</itunes:season><itunes:episode>07</itunes:episode>"
                + "<itunes:episodeType>full</itunes:episodeType><itunes:explicit>Yes</itunes:explicit>"
                + "<itunes:subtitle>s</itunes:subtitle><itunes:image href='https://e.example/c.jpg'/>",
            #""title":"A","artworkURL":"https://e.example/c.jpg","creator":"B","author":"b@e.example (B)","#
                + #""description":"s","season":2,"episode":"07","explicit":true,"episodeType":"full""#),
        Case("<guid>g</guid><title>A</title><itunes:title>B</itunes:title>", #""title":"A","itunesTitle":"B""#),
        Case("<guid>g</guid><itunes:explicit>clean</itunes:explicit>", #""explicit":false"#),
        Case("<guid>g</guid><itunes:explicit>maybe</itunes:explicit>", #""explicit":"maybe""#),
        // Texts.
        Case(
            "<guid>g</guid><content:encoded><![CDATA[<p>x</p>]]></content:encoded><description>d</description>"
                + "<itunes:summary>d</itunes:summary>",
            #""description":"d","content":"<p>x</p>""#),
        Case("<guid>g</guid><content:encoded>x</content:encoded>", #""description":"x""#),
        Case("<guid>g</guid><description>a <b>bold</b> word</description>", #""description":"a bold word""#),
        // What no reader knows is kept.
        Case(
            "<guid>g</guid><p:transcript url='https://e.example/t' type='text/vtt'/><x:y xmlns:x='urn:x'>1</x:y>",
            #""podcastTranscript":{"type":"text/vtt","url":"https://e.example/t"},"xY":"1""#),
        Case(
            "<guid>g</guid><type>t</type><id>i</id><liked>l</liked><url>u</url>",
            #""entryType":"t","entryId":"i","entryLiked":"l","entryUrl":"u""#),
        Case(
            "<guid>g</guid><category>a</category><category domain='d'>b</category>",
            #""categories":["a",{"domain":"d","text":"b"}]"#),
        Case(
            "<guid>g</guid><p:person role='host'>A</p:person><p:person>B</p:person>",
            #""podcastPerson":[{"role":"host","text":"A"},"B"]"#),
        // Media RSS in several qualities: the default, else the largest.
        Case(
            "<guid>g</guid><media:group><media:content url='https://e.example/s.mp4' height='360' type='video/mp4'/>"
                + "<media:content url='https://e.example/l.mp4' height='720' type='video/mp4' duration='61' fileSize='9'/>"
                + "<media:rating>g</media:rating></media:group>"
                + "<media:thumbnail url='https://e.example/s.jpg' width='10'/><media:thumbnail url='https://e.example/l.jpg' width='20'/>",
            #""url":"https://e.example/l.mp4","artworkURL":"https://e.example/l.jpg","duration":61,"mimeType":"video/mp4","#
                + #""size":9,"media":[{"duration":"61","fileSize":"9","height":"720","type":"video/mp4","#
                + #""url":"https://e.example/l.mp4"},{"height":"360","type":"video/mp4","url":"https://e.example/s.mp4"}],"#
                + #""thumbnails":[{"url":"https://e.example/s.jpg","width":"10"},{"url":"https://e.example/l.jpg","width":"20"}],"#
                + #""mediaRating":"g""#, type: "video"),
        Case(
            "<guid>g</guid><media:content url='https://e.example/a.mp4' isDefault='true'/><media:content url='https://e.example/b.mp4' height='9'/>",
            #""url":"https://e.example/a.mp4","media":[{"isDefault":"true","url":"https://e.example/a.mp4"},"#
                + #"{"height":"9","url":"https://e.example/b.mp4"}]"#, type: "video"),
    ])
    func readsAnItem(_ test: Case) {
        let reading = XMLReading(Self.feed(test.item))
        #expect(reading.error == nil && reading.refusals.isEmpty && reading.notices.isEmpty, "\(reading)")
        #expect(reading.models == [test.model])
        if let id = test.id { #expect(reading.ids == [id]) }
        if let type = test.type { #expect(reading.types == [type]) }
    }

    @Test(arguments: [
        ("Thu, 01 Feb 2018 11:00:00 -0000", "2018-02-01T11:00:00Z"),
        ("Thu, 01 Feb 2018 11:00:00 GMT", "2018-02-01T11:00:00Z"),
        ("1 Feb 18 11:00 EST", "2018-02-01T11:00:00-05:00"), ("1 Feb 98 1:00:09 Z", "1998-02-01T01:00:09Z"),
        ("Thu, 01 Feb 2018 11:00:00 +0130", "2018-02-01T11:00:00+01:30"),
        ("Thursday, February 1, 2018 11:00 PDT", "2018-02-01T11:00:00-07:00"),
        ("Wed 01 Feb 2018 11:00:00 +01:00", "2018-02-01T11:00:00+01:00"),
        ("01 Sept 2018 11:00:00", "2018-09-01T11:00:00Z"),
        ("Do, 01 Feb 2018 11:00:00 GMT+2", "2018-02-01T11:00:00+02:00"),
        ("Thu,01 Feb 2018 11:00:00 GMT", "2018-02-01T11:00:00Z"),
        ("Thu, 01 Feb 2018 11:00:00 +0000 (UTC)", "2018-02-01T11:00:00Z"),
        ("Thu Feb  1 11:00:00 2018", "2018-02-01T11:00:00Z"),
        ("Thu Feb 1 11:00:00 GMT 2018", "2018-02-01T11:00:00Z"), ("01-Feb-2018 11:00:00 GMT", "2018-02-01T11:00:00Z"),
        ("2018-02-01T11:00:00.5+01:00", "2018-02-01T11:00:00.5+01:00"),
        ("2018-02-01 11:00:00 +0100", "2018-02-01T11:00:00+01:00"),
        ("2018-02-01T11:00Z", "2018-02-01T11:00:00Z"), ("2018-02-01", "2018-02-01T00:00:00Z"),
        ("29 Feb 2020", "2020-02-29T00:00:00Z"),
        ("\n Thu, 01 Feb 2018\n 11:00:00 A \n", "2018-02-01T11:00:00Z"),
    ])
    func readsADate(_ written: String, date: String) {
        #expect(
            XMLReading(Self.feed("<guid>g</guid><pubDate>\(written)</pubDate>")).models == [
                #""publishedAt":"\#(date)""#
            ])
    }

    @Test(arguments: [
        "29 Feb 2018", "32 Jan 2018", "1 Feb 2018 25:00", "1 Feb 2018 11:60", "1 Feb 2018 11:00:00 +9900", "yesterday",
        "1517465594",
        "1 Feb 2018 11:00 NOWHERE", "Feb", "2018-13-01", "２０１８-02-01", "1 Feb 20181", "-1 Feb 2018", ":: 1 Feb",
    ])
    func keepsADateThatIsNone(_ written: String) {
        let reading = XMLReading(Self.feed("<guid>g</guid><pubDate>\(written)</pubDate>"))
        #expect(reading.models == [#""pubDate":"\#(written)""#])
    }

    @Test(arguments: [
        ("2047", "2047"), ("34:07", "2047"), ("00:34:07", "2047"), ("1:02:03.5", "3723.5"), (" 7 ", "7"),
        ("123.25", "123.25"),
        ("75:30", "4530"), ("00:90:00", "5400"), ("PT1H2M3S", "3723"), ("PT0.5S", "0.5"), ("0", "0"), ("00:00:00", "0"),
    ])
    func readsADuration(_ written: String, seconds: String) {
        #expect(
            XMLReading(Self.feed("<guid>g</guid><itunes:duration>\(written)</itunes:duration>")).models
                == [#""duration":\#(seconds)"#])
    }

    @Test(arguments: ["-1", "1:2:3:4", "N/A", "NaN", "1e400x", "3:", "PT", "P1Y", "12 min"])
    func keepsADurationThatIsNone(_ written: String) {
        #expect(
            XMLReading(Self.feed("<guid>g</guid><itunes:duration>\(written)</itunes:duration>")).models
                == [#""itunesDuration":"\#(written)""#])
    }

    @Test func takesNoDurationFromAnEmptyElement() {
        #expect(XMLReading(Self.feed("<guid>g</guid><title>A</title><itunes:duration/>")).models == [#""title":"A""#])
    }

    @Test func aTypeAskedForWinsOverTheMedium() {
        let reading = XMLReading(Self.feed("<guid>g</guid><enclosure url='https://e.example/a.mp3'/>"), type: "video")
        #expect(reading.types == ["video"] && reading.notices.isEmpty)
    }

    @Test func makesASectionOfTheChannelWithoutItsUpkeep() {
        let channel = """
            <title>News &amp; more</title><link>https://e.example/</link><description>d</description>
            <lastBuildDate>Thu, 01 Feb 2018 11:00:00 GMT</lastBuildDate><ttl>30</ttl><language>en</language>
            <image><url>https://e.example/i.png</url><title>x</title></image><itunes:type>serial</itunes:type>
            <atom:link rel="self" href="https://e.example/feed"/><itunes:category text="A"><itunes:category text="B"/></itunes:category>
            """
        let reading = XMLReading(Self.feed("<guid>g</guid>", channel: channel))
        #expect(reading.sections.map { "\($0.id)" } == ["https://e.example/feed"])
        #expect(
            reading.sections.map { $0.members.text } == [
                #""title":"News & more","description":"d","url":"https://e.example/","artworkURL":"https://e.example/i.png","#
                    + #""feedURL":"https://e.example/feed","categories":["A","B"],"language":"en","showType":"serial""#
            ])
        #expect(reading.places == ["News & more"])
    }

    /// A feed that is renamed is the same feed.
    @Test(arguments: [
        (
            "<atom:link rel='self' href='https://e.example/feed'/><link>https://e.example/</link>",
            "https://e.example/feed"
        ),
        ("<link>https://e.example/</link>", "https://e.example/"), ("", nil),
        ("<atom:id>urn:f</atom:id><atom:link rel='self' href='https://e.example/feed'/>", "urn:f"),
    ])
    func namesTheSectionByTheFeedsAddress(links: String, id: String?) {
        for title in ["News", "News &amp; more"] {
            let reading = XMLReading(Self.feed("<guid>g</guid>", channel: "<title>\(title)</title>" + links))
            let named = title.replacing("&amp;", with: "&")
            #expect(reading.sections.map { "\($0.id)" } == [id ?? named])
            #expect(reading.places == [named])
        }
    }

    @Test func tellsEntriesOfOneIDApartByWhatTheyAreAndTheOldestKeepsIt() throws {
        func item(_ title: String, _ day: Int) -> String {
            "<guid>g</guid><title>\(title)</title><pubDate>\(day) Feb 2018</pubDate>"
        }
        let before = XMLReading(Self.feed(item("B", 2) + "</item><item>" + item("A", 1)))
        let after = XMLReading(
            Self.feed(item("C", 3) + "</item><item>" + item("B", 2) + "</item><item>" + item("A", 1)))
        #expect(before.ids.last == "g")
        #expect(before.ids.first?.hasPrefix("g~") == true)
        #expect(Array(after.ids.dropFirst()) == before.ids)
        #expect(before.notices.count == 1 && after.notices.count == 2)
        // The very same entry twice gets a number.
        let twice = XMLReading(Self.feed(item("A", 1) + "</item><item>" + item("A", 1)))
        #expect(twice.ids == ["g", "g~2"] && twice.notices.count == 1)
    }

    @Test func withoutDatesTheLastInTheFeedKeepsTheID() {
        func item(_ name: String) -> String {
            "<guid>g</guid><title>\(name)</title><link>https://e.example/\(name)</link>"
        }
        let before = XMLReading(Self.feed(item("B") + "</item><item>" + item("A")))
        let after = XMLReading(Self.feed(item("C") + "</item><item>" + item("B") + "</item><item>" + item("A")))
        #expect(before.ids.last == "g" && before.ids.first?.hasPrefix("g~") == true)
        #expect(Array(after.ids.dropFirst()) == before.ids)
    }

    @Test func aCorrectedTitleMakesNoOtherEntry() {
        func item(_ name: String, _ title: String) -> String {
            "<guid>g</guid><title>\(title)</title><enclosure url='https://e.example/\(name).mp3'/>"
        }
        let before = XMLReading(Self.feed(item("b", "Tpyo") + "</item><item>" + item("a", "A")))
        let after = XMLReading(Self.feed(item("b", "Typo") + "</item><item>" + item("a", "A")))
        #expect(before.ids == after.ids)
        // Two in one place are told apart by all that they say.
        let same = XMLReading(Self.feed(item("a", "C") + "</item><item>" + item("a", "B")))
        #expect(same.ids.last == "g" && same.ids.first?.hasPrefix("g~") == true)
    }

    @Test func anEntryKeepsItsIDWhenTheOlderOneLeavesTheFeed() throws {
        func item(_ name: String) -> String {
            "<guid>g</guid><title>\(name)</title><link>https://e.example/\(name)</link>"
        }
        let both = try ImportPlanTests.imported(Self.feed(item("B") + "</item><item>" + item("A")).utf8, "x.xml")
        let later = try ImportPlanTests.imported(Self.feed(item("B")).utf8, "x.xml", into: both.snapshot)
        #expect(later.changes.isEmpty, "\(later.changes)")
    }

    @Test func refusesAnEmptyItemAndReadsTheOthers() {
        let reading = XMLReading(Self.feed("<guid>a</guid></item>\n<item>\n</item>\n<item><guid>b</guid>"))
        #expect(reading.ids == ["a", "b"])
        #expect(reading.refusals == ["line 7: an entry with neither a title, an address nor any text"])
    }

    @Test func readsFeedsWithoutNamespacesDeclarationsAndWithOtherPrefixes() {
        let undeclared = "<rss><channel><item><guid>g</guid><itunes:season>1</itunes:season></item></channel></rss>"
        #expect(XMLReading(undeclared).models == [#""season":1"#])
        let renamed =
            "\n\n<?xml version='1.0'?>\n<rss xmlns:i='HTTPS://www.iTunes.com/DTDs/Podcast-1.0.dtd'><channel><item>"
            + "<guid>g</guid><i:season>1</i:season></item></channel></rss>"
        #expect(XMLReading(renamed).models == [#""season":1"#])
        #expect(XMLReading(renamed).items.map(\.line) == [4])
        let rdf =
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
            + "<channel><title>T</title></channel><item rdf:about='x'><title>A</title><link>https://e.example/a</link></item></rdf:RDF>"
        #expect(XMLReading(rdf).models == [#""title":"A","url":"https://e.example/a""#])
    }

    @Test func readsAtom() {
        let reading = XMLReading(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:f</id><updated>2018-01-01T00:00:00Z</updated>
            <link rel="self" href="https://e.example/atom"/><link href="https://e.example/"/>
            <entry><id>urn:a</id><title type="html">A &amp;amp; B</title><updated>2018-02-02T00:00:00Z</updated>
             <published>2018-02-01T00:00:00+01:00</published><author><name>N</name></author><author><name>M</name></author>
             <link rel="enclosure" type="audio/mpeg" length="5" href="https://e.example/a.mp3"/>
             <link rel="alternate" href="https://e.example/a"/><link rel="related" href="https://e.example/r"/>
             <summary>s</summary><category term="t" label="L"/>
             <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p class="x">one &lt; <br/>two</p></div></content>
            </entry>
            <entry><id>urn:b</id><title>B</title><updated>2018-02-02T00:00:00Z</updated><content type="html">&lt;p&gt;</content></entry>
            </feed>
            """)
        #expect(reading.format == .atom && reading.error == nil)
        #expect(
            reading.sections.map { $0.members.text } == [
                #""title":"T","url":"https://e.example/","feedURL":"https://e.example/atom""#
            ])
        #expect(reading.ids == ["urn:a", "urn:b"])
        #expect(reading.types == ["music", "-"])
        #expect(
            reading.models == [
                #""title":"A &amp; B","url":"https://e.example/a.mp3","link":"https://e.example/a","creator":"N, M","#
                    + #""publishedAt":"2018-02-01T00:00:00+01:00","updatedAt":"2018-02-02T00:00:00Z","description":"s","#
                    + ##""content":"<p class=\"x\">one &lt; <br/>two</p>","categories":["L"],"##
                    + #""mimeType":"audio/mpeg","size":5,"links":[{"href":"https://e.example/r","rel":"related"}]"#,
                #""title":"B","publishedAt":"2018-02-02T00:00:00Z","description":"<p>""#,
            ])
        let bare = "<feed><title>T</title><entry><id>a</id><title>A</title></entry></feed>"
        #expect(XMLReading(bare).models == [#""title":"A""#])
    }
}
