import HTTPCore
import Journal
import MedleyCore
import MedleyFormats
import MedleyService
import Testing

/// What of a collection its other formats hold: filters, a table's columns, addresses.
@Suite struct FormatFilterTests {
    private static let mix = "/v1/collections/mix"
    private static let large = "/v1/collections/large"

    // MARK: Filters

    @Test(arguments: FormatTests.forms)
    func whatPassesIsExported(form: FormatTests.Form) async throws {
        let fixture = await ServiceFixture.withMix()
        let cases: [(String, ExportFilter)] = [
            ("section=music", ExportFilter(section: { $0 == SectionID("music") })),
            ("liked=true", ExportFilter(item: { $0.liked })),
            ("type=video,music", ExportFilter(item: { ["video", "music"].contains($0.type.name) })),
            (
                "section=video&liked=false&type=shortVideo",
                ExportFilter(section: { $0 == SectionID("video") }, item: { $0.type.name == "shortVideo" })
            ),
            ("section=none", ExportFilter(section: { _ in false })),
        ]
        var bodies = Set<[UInt8]>()
        var tags = Set<String>()
        for (query, filter) in cases {
            let received = await fixture.send("GET", "\(Self.mix)?\(query)&format=\(form.name)")
            #expect(received.status == 200)
            #expect(received.body == (try FormatTests.exported(fixture, "mix", form.format, filter)), "\(query)")
            bodies.insert(received.body)
            tags.insert(received.headers["ETag"] ?? "")
        }
        #expect(bodies.count == cases.count && tags.count == cases.count)
        let section = await fixture.send("GET", "\(Self.mix)?format=\(form.name)&section=music")
        #expect(section.headers["ETag"] == #""lineage1-1;format=\#(form.name);section=music""#)
        #expect(section.text.contains("Slow ferry") && !section.text.contains("Tide tables"))
    }

    @Test(arguments: FormatTests.forms)
    func aLongWayToTheOneThatPassesIsGoneInTurns(form: FormatTests.Form) async throws {
        let fixture = ServiceFixture()
        _ = await fixture.send("PUT", "/v1/collections/s", json: LargeCollection.sparse)
        let received = await fixture.send("GET", "/v1/collections/s?liked=true&format=\(form.name)")
        #expect(
            received.body == (try FormatTests.exported(fixture, "s", form.format, ExportFilter(item: { $0.liked }))))
        // 10,000 items are more than two turns' worth.
        #expect((received.pieceCount ?? 0) >= 2)
    }

    // MARK: Tables

    @Test func columnsFollowEdits() async throws {
        let fixture = await LargeCollection.fixture()
        func header(_ query: String = "") async -> String {
            let text = await fixture.send("GET", "\(Self.large)?format=csv\(query)").text
            return String(text.prefix { $0 != "\r\n" })
        }
        let leading = "id,type,liked,section,sectionTitle,"
        #expect(await header() == "\(leading)title,artist,size")
        _ = await fixture.send("PATCH", "\(Self.large)/items/i900", json: #"{"mood":"calm","album":"Low water"}"#)
        #expect(await header() == "\(leading)title,artist,album,size,mood")
        // Items that do not pass in a section that does count.
        #expect(await header("&liked=false") == "\(leading)title,artist,album,size,mood")
        #expect(await header("&section=s4") == "\(leading)title,artist,size")
        _ = await fixture.send("PATCH", "\(Self.large)/items/i900", json: #"{"mood":null,"album":null}"#)
        #expect(await header() == "\(leading)title,artist,size")
    }

    @Test func moreColumnsThanATableHasAreRefused() async throws {
        let fixture = ServiceFixture()
        func items(_ count: Int) -> String {
            (0..<(count + 249) / 250).map { item in
                let members = (item * 250..<min(count, item * 250 + 250)).map { #""m\#($0)":1"# }
                return #"{"id":"\#(item)","type":"music",\#(members.joined(separator: ","))}"#
            }.joined(separator: ",")
        }
        for (count, status) in [(16_384, 200), (16_385, 406)] {
            let body = #"{"sections":[{"id":"s","items":[\#(items(count))]}]}"#
            _ = await fixture.send("PUT", Self.mix, [("Prefer", "return=minimal")], json: body)
            for format in ["csv", "tsv"] {
                let received = await fixture.send("GET", "\(Self.mix)?format=\(format)")
                #expect(received.status == status)
                if status == 406 { #expect(received.code == "not-acceptable" && received.text.contains("ndjson")) }
            }
            #expect(await fixture.send("GET", "\(Self.mix)?format=jsonl").status == 200)
        }
    }

    // MARK: Addresses

    @Test func aFeedNamesTheAddressThatItWasAskedUnder() async throws {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", "\(Self.mix)?format=rss", [("Host", "media.example:8080")])
        let address = "http://media.example:8080/v1/collections/mix"
        #expect(received.body == (try FormatTests.exported(fixture, "mix", .rss, address: address)))
        #expect(received.text.contains("<link>\(address)</link>"))
        #expect(await fixture.send("GET", "\(Self.mix)?format=rss").text.contains("<link>urn:x-medley</link>"))
    }

    @Test func relativePathsStayAsTheyAre() async throws {
        let fixture = ServiceFixture()
        let item = #"{"id":"1","type":"music","title":"A","path":"songs/a b.mp3"}"#
        _ = await fixture.send("PUT", Self.mix, json: #"{"sections":[{"id":"s","items":[\#(item)]}]}"#)
        let text = await fixture.send("GET", "\(Self.mix)?format=m3u", [("Host", "media.example")]).text
        #expect(text.hasSuffix("\nsongs/a b.mp3\n"))
    }
}
