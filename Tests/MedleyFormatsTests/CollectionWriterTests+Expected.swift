import MedleyFormats

// What the writers make of `CollectionWriterTests.collection`.
extension CollectionWriterTests {
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
            <extension application="urn:x-medley"><medley:item id="v 1" type="video" liked="false" section="v" sectionTitle="Video, &lt;old&gt;"><medley:section name="color">"red"</medley:section><medley:member name="path">"C:\\\\a b.mp4"</medley:member></medley:item></extension>
            </track>
            <track>
            <extension application="urn:x-medley"><medley:item id="v2" type="video" liked="false" section="v" sectionTitle="Video, &lt;old&gt;"><medley:section name="color">"red"</medley:section></medley:item></extension>
            </track>
            </trackList>
            </playlist>

            """
        ),
        (
            .rss,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/">
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
}
