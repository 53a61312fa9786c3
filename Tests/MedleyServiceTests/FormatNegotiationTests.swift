import HTTPCore
import Testing

@testable import MedleyService

/// Which format a client gets.
@Suite struct FormatNegotiationTests {
    private static let mix = "/v1/collections/mix"
    private static let csv = "text/csv; charset=utf-8"
    private static let tsv = "text/tab-separated-values; charset=utf-8"

    @Test(arguments: [
        ("*/*", "application/json"), ("application/*", "application/json"), ("", "application/json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/json"),
        ("audio/*", "audio/x-mpegurl"), ("audio/*, */*;q=0.1", "audio/x-mpegurl"),
        ("audio/*;q=0.1, */*", "application/json"), ("audio/*;q=0.4, text/*;q=0.5", csv), ("text/*", csv),
        ("text/*, text/csv;q=0", tsv), ("TEXT/CSV", csv), ("text/csv; header=present", csv),
        ("text/csv;q=0.5, application/json;q=0.4", csv), ("text/csv;q=0.5, application/json", "application/json"),
        ("text/csv, application/json", "application/json"), ("text/csv;q=0, */*;q=0.1", "application/json"),
        ("application/json;q=0, */*;q=0.1", "audio/x-mpegurl"),
        ("audio/x-mpegurl", "audio/x-mpegurl"), ("audio/mpegurl", "audio/mpegurl"),
        ("application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl"),
        ("application/x-mpegurl", "application/x-mpegurl"), ("audio/x-scpls", "audio/x-scpls"),
        ("application/xspf+xml, application/json;q=0.9", "application/xspf+xml"),
        ("application/jspf+json", "application/jspf+json"), ("application/rss+xml", "application/rss+xml"),
        ("application/x-ndjson", "application/x-ndjson"), ("application/jsonl", "application/jsonl"),
        ("image/png, application/rss+xml;q=0.001", "application/rss+xml"),
        ("application/problem+json", "application/json"),
    ])
    func acceptChooses(accept: String, type: String) async {
        let fixture = await ServiceFixture.withMix()
        for method in ["GET", "HEAD"] {
            let received = await fixture.send(method, Self.mix, [("Accept", accept)])
            #expect(received.status == 200)
            #expect(received.headers["Content-Type"] == type)
            #expect((received.headers["Content-Disposition"] == nil) == (type == "application/json"))
        }
    }

    @Test(arguments: ["image/png", "text/html", "video/*", "application/json;q=0", "audio/mpeg, image/*"])
    func whatIsNotThereIsRefusedWithWhatIs(accept: String) async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", Self.mix, [("Accept", accept)])
        #expect(received.status == 406 && received.code == "not-acceptable")
        for type in AnswerFormat.mediaTypes { #expect((received.object["detail"] as? String ?? "").contains(type)) }
    }

    @Test(arguments: [
        ("json", "application/json"), ("m3u", "audio/x-mpegurl"), ("m3u8", "audio/x-mpegurl"),
        ("pls", "audio/x-scpls"), ("xspf", "application/xspf+xml"), ("jspf", "application/jspf+json"),
        ("rss", "application/rss+xml"), ("csv", csv), ("tsv", tsv), ("jsonl", "application/x-ndjson"),
        ("ndjson", "application/x-ndjson"),
    ])
    func theAddressWins(format: String, type: String) async {
        let fixture = await ServiceFixture.withMix()
        for accept in ["*/*", "text/csv", "application/json", "image/png", "application/rss+xml;q=0"] {
            let received = await fixture.send("GET", "\(Self.mix)?format=\(format)", [("Accept", accept)])
            #expect(received.status == 200)
            #expect(received.headers["Content-Type"] == type)
        }
        #expect(AnswerFormat.names.contains { $0.name == format })
        #expect(AnswerFormat.names.count == 11)
    }

    @Test func jsonByTheAddressIsThePlainSnapshot() async {
        let fixture = await ServiceFixture.withMix()
        let plain = await fixture.send("GET", Self.mix)
        let named = await fixture.send("GET", "\(Self.mix)?format=json", [("Accept", "text/csv")])
        #expect(named.body == plain.body && named.headers["ETag"] == plain.headers["ETag"])
        let page = await fixture.send("GET", "\(Self.mix)?format=json&limit=2")
        #expect(page.status == 200 && page.headers["Link"]?.contains("format=json&limit=2&cursor=") == true)
        let next = (page.object["next"] as? String) ?? ""
        #expect(await fixture.send("GET", "\(Self.mix)?format=json&limit=2&cursor=\(next)").status == 200)
        #expect(await fixture.send("GET", "\(Self.mix)?models=none&format=json").status == 200)
    }

    @Test func aProblemIsAProblemWhateverIsAsked() async {
        let fixture = await ServiceFixture.withMix()
        let missing = await fixture.send("GET", "/v1/collections/none?format=m3u")
        #expect(missing.status == 404 && missing.code == "collection-not-found")
        #expect(await fixture.send("GET", "/v1/collections/none", [("Accept", "text/csv")]).status == 404)
        let wrong = await fixture.send("GET", "\(Self.mix)?format=mp3")
        #expect(wrong.status == 400 && (wrong.object["detail"] as? String ?? "").contains("xspf, jspf, rss"))
        // Only a collection has formats.
        #expect(await fixture.send("GET", "\(Self.mix)/stores", [("Accept", "text/csv")]).status == 406)
    }
}
