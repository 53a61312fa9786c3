import JSONText
import MedleyCore
import MedleyFormats
import Testing

@Suite struct PlaylistReaderTests {
    static let xspf = """
        <?xml version="1.0" encoding="UTF-8"?>
        <playlist version="1" xmlns="http://xspf.org/ns/0/">
          <title>Mix</title><creator>me</creator><annotation>d</annotation><image>https://e.example/p.jpg</image>
          <trackList>
            <track><location>file:///m/a.mp3</location><location>https://e.example/a.ogg</location><identifier>urn:1</identifier>
              <title>A</title><creator>C</creator><album>L</album><annotation>n</annotation><duration>225500</duration>
              <trackNum>3</trackNum><image>https://e.example/a.jpg</image><info>https://e.example/i</info>
              <link rel="http://e.example/r">https://e.example/l</link><meta rel="http://e.example/k">v</meta>
              <extension application="http://e.example/app"><x:y xmlns:x="urn:x">1</x:y></extension></track>
            <track><location>b.mp4</location><duration>x</duration></track>
            <track><title>T</title><creator>C</creator></track>
            <track><annotation>nothing</annotation></track>
            <track><location>https://e.example/stream</location></track>
            <track><location>https://e.example/stream</location></track>
          </trackList>
        </playlist>
        """

    @Test func readsXSPF() {
        let reading = XMLReading(Self.xspf)
        #expect(reading.format == .xspf && reading.error == nil)
        #expect(reading.sections.map { "\($0.id)" } == ["Mix"])
        #expect(
            reading.sections.map { $0.members.text }
                == [#""title":"Mix","description":"d","creator":"me","artworkURL":"https://e.example/p.jpg""#])
        #expect(
            reading.ids == [
                "file:///m/a.mp3", "b.mp4", "C|T", "https://e.example/stream", "https://e.example/stream~2",
            ])
        #expect(reading.types == ["music", "video", "music", "music", "music"])
        #expect(
            reading.models == [
                #""title":"A","creator":"C","album":"L","description":"n","url":"file:///m/a.mp3","#
                    + #""location":["file:///m/a.mp3","https://e.example/a.ogg"],"#
                    + #""artworkURL":"https://e.example/a.jpg","duration":225.5,"trackNumber":3,"link":"https://e.example/i","identifier":"urn:1","#
                    + #""links":{"rel":"http://e.example/r","text":"https://e.example/l"},"meta":{"rel":"http://e.example/k","text":"v"},"#
                    + #""extension":{"application":"http://e.example/app","xY":"1"}"#,
                #""path":"b.mp4","durationText":"x""#, #""title":"T","creator":"C""#,
                #""url":"https://e.example/stream""#, #""url":"https://e.example/stream""#,
            ])
        #expect(reading.refusals == ["line 12: a track with neither a location nor a title"])
        #expect(reading.notices.count == 1)
    }

    @Test func namesTheCollectionAsThePlaylistIsCalled() {
        #expect(XMLReading(Self.xspf).head.text == #""title":"Mix""#)
        #expect(XMLReading("<playlist><trackList/></playlist>").head.isEmpty)
    }

    static func own(_ item: String) -> XMLReading {
        XMLReading(
            "<playlist xmlns:m='urn:x-medley'><title>T</title><creator>C</creator><trackList><track>"
                + "<location>https://e.example/a.mp4</location><title>A</title><creator>B</creator>"
                + "<extension application='urn:x-medley'>\(item)</extension></track></trackList></playlist>")
    }

    @Test func takesBackWhatMedleyWrote() {
        let reading = Self.own(
            """
            <m:item id="7" type="shortVideo" liked="true" section="s" sectionTitle="S"><m:section name="color">"red"</m:section>
            <m:member name="artist"> "B" </m:member><m:member name="tags">[ 1, {"a": null} ]</m:member></m:item>
            """)
        #expect(reading.ids == ["7"] && reading.types == ["shortVideo"] && reading.items.first?.content.liked == true)
        #expect(reading.models == [#""artist":"B","tags":[1,{"a":null}],"title":"A","url":"https://e.example/a.mp4""#])
        #expect(reading.items.first?.section?.members.text == #""title":"S","color":"red""#)
        // What is said of the playlist is the collection's, and no section is made of it.
        #expect(reading.sections.isEmpty && reading.head.text == #""title":"T","creator":"C""#)
    }

    @Test(arguments: [
        "<m:member name='a'>1</m:member>", "<m:item id='7'><m:member>1</m:member></m:item>",
        "<m:item id='7'><m:member name='a'>1,2</m:member></m:item>", "<m:item id='7' liked='maybe'/>",
        "<m:item id='7'><m:member name='a'>1</m:member><m:member name='a'>2</m:member></m:item>",
    ])
    func keepsABrokenExtensionAsAnyOther(_ item: String) {
        let reading = Self.own(item)
        #expect(reading.error == nil && reading.refusals.isEmpty)
        #expect(reading.sections.map { "\($0.id)" } == ["T"])
        #expect(reading.member("extension") != nil)
        #expect(reading.ids == ["https://e.example/a.mp4"])
    }

    @Test(arguments: [
        ("#EXTM3U\na.mp3\nb.MKV?x\nhttps://e.example/stream\n", ["music", "video", "-"]),
        ("[playlist]\nFile1=a.flac\nFile2=C:\\b.mov\nFile3=x\n", ["music", "video", "-"]),
        (
            #"{"playlist":{"track":[{"location":["a.ogg"]},{"location":["b.webm"]},{"title":"x"}]}}"#,
            ["music", "video", "music"]
        ),
    ])
    func tellsMusicFromVideoByTheName(_ text: String, types: [String]) {
        #expect(XMLReading(text).types == types)
    }

    @Test(arguments: [
        ("0", "0"), ("1", "0.001"), ("999", "0.999"), ("1000", "1"), ("001500", "1.5"), ("123456789", "123456.789"),
    ])
    func readsMilliseconds(_ written: String, seconds: String) {
        let text =
            "<playlist><trackList><track><title>T</title><duration> \(written) </duration></track></trackList></playlist>"
        #expect(XMLReading(text).models == [#""title":"T","duration":\#(seconds)"#])
    }

    static let opml = """
        <?xml version="1.0"?><opml version="2.0"><head><title>Subs</title><ownerName>me</ownerName></head><body>
        <outline text="Loose" type="rss" xmlUrl="https://e.example/l.xml"/>
        <outline text="News" category="x">
          <outline text="a" title="A" type="rss" xmlUrl="https://e.example/a.xml" htmlUrl="https://e.example/a" version="RSS2"/>
          <outline text="Deep"><outline text="Deeper" color="red"><outline text="B" xmlUrl="https://e.example/b.xml"/></outline></outline>
          <outline text="Radio" type="audio" URL="https://e.example/r"/>
          <outline/><outline text="Just a note"/>
          <outline text="again" xmlUrl="https://e.example/a.xml"/>
        </outline></body></opml>
        """

    /// A name that is stated once and stands for many would make a small document a large one.
    @Test func namesThatManyEntriesHaveAreBounded() {
        let name = String(repeating: "n", count: 100_000)
        let outlines = String(repeating: "<outline text='a'/>", count: 200)
        let opml = XMLReading(
            "<opml><body><outline text='s'><outline text='\(name)'>\(outlines)</outline></outline></body></opml>")
        #expect(opml.error?.code == .tooLarge && opml.items.isEmpty)
        let library = XMLReading(
            MusicLibraryReaderTests.library(
                (0..<20).map { MusicLibraryReaderTests.track($0, "<key>Name</key><string>t\($0)</string>") },
                (0..<10).map { _ in MusicLibraryReaderTests.playlist(name, "", Array(0..<20)) }))
        #expect(library.error?.code == .tooLarge && library.items.isEmpty)
    }

    @Test func readsOPML() {
        let reading = XMLReading(Self.opml)
        #expect(reading.format == .opml && reading.error == nil)
        #expect(
            reading.sections.map { "\($0.id) \($0.members.text)" }
                == [#"Subs "title":"Subs","creator":"me""#, #"News "title":"News","category":"x""#])
        #expect(reading.places == ["Subs", "News", "News", "News", "News", "News"])
        #expect(reading.types == ["feed", "feed", "feed", "music", "-", "feed"])
        #expect(
            reading.models == [
                #""title":"Loose","url":"https://e.example/l.xml","outlineType":"rss""#,
                #""title":"A","text":"a","url":"https://e.example/a.xml","link":"https://e.example/a","outlineType":"rss","version":"RSS2""#,
                #""title":"B","url":"https://e.example/b.xml","group":"Deep / Deeper""#,
                #""title":"Radio","url":"https://e.example/r","outlineType":"audio""#, #""title":"Just a note""#,
                #""title":"again","url":"https://e.example/a.xml""#,
            ])
        #expect(
            reading.ids.prefix(5) == [
                "https://e.example/l.xml", "https://e.example/a.xml", "https://e.example/b.xml", "https://e.example/r",
                "Just a note",
            ])
        #expect(reading.ids[5] == "https://e.example/a.xml~2")
        #expect(reading.refusals == ["line 7: an outline with neither a text nor an address"])
        #expect(reading.notices.count == 2)
    }
}
