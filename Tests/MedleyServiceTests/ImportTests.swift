import HTTPCore
import Journal
import MedleyFormats
import MedleyService
import Testing

/// `POST /v1/collections/{collection}/import`.
@Suite struct ImportTests {
    static let target = "/v1/collections/mix/import"
    static let csv = [("Content-Type", "text/csv; charset=utf-8")]

    private func counts(_ received: Received) -> [String: Int] { received.object["counts"] as? [String: Int] ?? [:] }

    private func ops(_ received: Received) -> [String] {
        (received.object["changes"] as? [[String: Any]] ?? []).map { $0["op"] as? String ?? "" }
    }

    @Test func makesACollectionAndThenChangesWhatDiffers() async {
        let fixture = ServiceFixture()
        let target = "/v1/collections/songs/import?section=artist&type=music&map=title%3DSong"
        let table = "id,Song,artist\n1,Layla,Derek\n2,Help,Beatles\n"
        let first = await fixture.send("POST", target, Self.csv, json: table)
        #expect(first.status == 201)
        #expect(first.headers["Location"] == "/v1/collections/songs")
        #expect(first.object["reset"] as? Bool == true)
        #expect(
            counts(first) == [
                "read": 2, "inserted": 2, "updated": 0, "unchanged": 0, "moved": 0, "deleted": 0, "refused": 0,
            ])
        let snapshot = await fixture.send("GET", "/v1/collections/songs")
        #expect(snapshot.sectionItems.map(\.0) == ["Derek", "Beatles"])
        #expect(snapshot.object["title"] as? String == "songs")
        #expect(snapshot.object["types"] as? [String: Int] == ["music": 2])

        let again = await fixture.send("POST", target, Self.csv, json: table)
        #expect(again.status == 200)
        #expect(again.object["from"] as? String == again.object["to"] as? String)
        #expect(counts(again)["unchanged"] == 2)

        let third = await fixture.send("POST", target, Self.csv, json: table + "3,Bell,Derek\n")
        #expect(ops(third) == ["insert"])
        #expect(third.headers["ETag"] == "\"\(third.object["to"] as? String ?? "")\"")
        #expect(counts(third)["inserted"] == 1 && counts(third)["unchanged"] == 2)
    }

    /// What cannot be read is told, and the rest is one revision.
    @Test func refusedEntriesAreToldAndTheRestIsOneRevision() async {
        let fixture = await ServiceFixture.withMix()
        let table = "id,type,title\nv1,music,x\nv2,video,New\n3,4\nn1,video,N\n"
        let received = await fixture.send("POST", Self.target, Self.csv, json: table)
        #expect(received.status == 200)
        #expect(received.object["to"] as? String == "lineage1-2" && fixture.revision == "lineage1-2")
        #expect(
            counts(received)["refused"] == 2 && counts(received)["updated"] == 1 && counts(received)["inserted"] == 1)
        let refused = received.object["refused"] as? [[String: Any]] ?? []
        #expect(refused.map { $0["line"] as? Int } == [4, 2])
        #expect((refused.first?["reason"] as? String)?.contains("2 cells") == true)
        #expect((refused.last?["reason"] as? String)?.contains("a type never changes") == true)
    }

    @Test func aDocumentOfWhichNothingCanBeReadMakesNoCollection() async {
        let fixture = ServiceFixture()
        let received = await fixture.send("POST", "/v1/collections/new/import", Self.csv, json: "id,title\nx\ny\n")
        #expect(received.status == 422 && received.code == "invalid-document" && received.object["line"] as? Int == 2)
        #expect(await fixture.state.isEmpty)
        // One that has nothing to be read makes an empty one, as `{}` does.
        let empty = await fixture.send("POST", "/v1/collections/new/import", Self.csv, json: "id,title\n")
        #expect(empty.status == 201)
    }

    @Test func theListOfRefusalsIsBoundedAndTheirCountIsNot() async {
        let fixture = await ServiceFixture.withMix()
        let table = "id,title\n" + String(repeating: "x\n", count: 250)
        let received = await fixture.send("POST", Self.target, Self.csv, json: table)
        #expect((received.object["refused"] as? [Any])?.count == 100)
        #expect(counts(received)["refused"] == 250)
        #expect(fixture.revision == "lineage1-1")
    }

    @Test(
        arguments: [
            ("application/rss+xml", "<rss>\n<channel>\n<item><title>a</title></item>", 422, 3),
            ("application/json", "[{\"id\":\"a\"},\n{\"id\":", 422, 2),
            ("application/json", "{\"sections\":[", 422, 1),
            ("application/xml", "<!DOCTYPE r [<!ENTITY a \"b\">]>\n<rss/>", 422, 1),
            ("audio/x-mpegurl", "#EXTM3U\na.mp3\n#EXT-X-TARGETDURATION:10\n", 422, 3),
            ("text/csv", "", 422, nil), ("application/octet-stream", "\u{0}\u{1}", 422, nil),
            ("application/xspf+xml", "<html></html>", 422, nil),
        ] as [(String, String, Int, Int?)])
    func aBrokenDocumentImportsNothing(_ type: String, _ body: String, status: Int, line: Int?) async {
        let fixture = await ServiceFixture.withMix()
        let before = await fixture.state
        let received = await fixture.send("POST", Self.target, [("Content-Type", type)], json: body)
        #expect(received.status == status && received.code == "invalid-document", "\(received.text)")
        #expect(received.object["line"] as? Int == line, "\(received.text)")
        #expect(await fixture.state == before)
    }

    /// Each format by its own type and by those that other programs send.
    @Test(arguments: StatedFormat.mediaTypes.map(\.type))
    func everyMediaTypeIsTaken(type: String) async {
        let body: String
        switch StatedFormat(mediaType: type) {
        case .format(.tsv): body = "title\turl\nOne\thttp://e.example/1\n"
        case .format(.jsonLines), .byContent: body = "{\"title\":\"One\"}\n"
        case .json: body = "[{\"title\":\"One\"}]"
        case .format(.m3u): body = "#EXTM3U\n#EXTINF:1,One\nhttp://e.example/1\n"
        case .format(.pls): body = "[playlist]\nFile1=http://e.example/1\nTitle1=One\n"
        case .format(.xspf):
            body =
                "<playlist xmlns='http://xspf.org/ns/0/'><trackList><track><title>One</title></track></trackList></playlist>"
        case .format(.jspf): body = "{\"playlist\":{\"track\":[{\"title\":\"One\"}]}}"
        case .format(.rss), .xml: body = "<rss><channel><item><title>One</title></item></channel></rss>"
        case .format(.atom):
            body = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title>One</title></entry></feed>"
        case .format(.opml): body = "<opml><body><outline text='One' xmlUrl='http://e.example/1'/></body></opml>"
        case .format(.musicLibrary):
            body =
                "<plist><dict><key>Tracks</key><dict><key>1</key><dict><key>Persistent ID</key><string>A1</string>"
                + "<key>Name</key><string>One</string></dict></dict></dict></plist>"
        default: body = "title,url\nOne,http://e.example/1\n"
        }
        let fixture = ServiceFixture()
        let received = await fixture.send(
            "POST", "/v1/collections/new/import", [("Content-Type", type)], json: body)
        #expect(received.status == 201, "\(received.text)")
        #expect(counts(received)["inserted"] == 1, "\(received.text)")
        #expect(received.text.contains("\"One\""))
    }

    @Test func theFormatCanBeSaidWhereTheTypeCannot() async {
        let fixture = ServiceFixture()
        let type = [("Content-Type", "application/octet-stream")]
        let received = await fixture.send(
            "POST", "/v1/collections/a/import?format=m3u", type, json: "one.mp3\ntwo.mp3\n")
        #expect(counts(received)["inserted"] == 2)
        let table = await fixture.send("POST", "/v1/collections/b/import?format=csv", type, json: "id\none\n")
        #expect(counts(table)["inserted"] == 1)
    }

    @Test(arguments: [
        "format=folder", "format=exe", "type=Big", "section=", "map=x", "map=id%3Da", "id=", "order=name", "prune=1",
        "dryRun=yes", "base=x", "id=none",
    ])
    func aQueryThatIsNotUnderstoodIsRefused(query: String) async {
        let fixture = await ServiceFixture.withMix()
        let before = await fixture.state
        let received = await fixture.send("POST", "\(Self.target)?\(query)", Self.csv, json: "a,b\n1,2\n")
        #expect(received.status == 400 && received.code == "invalid-query", "\(received.text)")
        #expect(await fixture.state == before)
    }

    @Test func preconditionsHold() async {
        let fixture = await ServiceFixture.withMix()
        for header in [("If-Match", #""lineage1-9""#), ("If-None-Match", "*")] {
            let received = await fixture.send("POST", Self.target, Self.csv + [header], json: "id\nn\n")
            #expect(received.status == 412 && received.code == "revision-stale")
        }
        let fresh = await fixture.send(
            "POST", Self.target, Self.csv + [("If-Match", #""lineage1-1""#), ("Prefer", "return=minimal")],
            json: "id\nn\n")
        #expect(fresh.status == 200 && fresh.object["changes"] == nil && counts(fresh)["inserted"] == 1)
    }

    @Test func aKeyIsForOneBodyAndOneQuery() async {
        let fixture = await ServiceFixture.withMix()
        let headers = Self.csv + [("Idempotency-Key", "k1")]
        let first = await fixture.send("POST", Self.target, headers, json: "id\nn\n")
        let again = await fixture.send("POST", Self.target, headers, json: "id\nn\n")
        #expect(again.body == first.body && again.headers["Idempotency-Replayed"] == "true")
        for (query, body) in [("?prune=true", "id\nn\n"), ("", "id\nm\n")] {
            let other = await fixture.send("POST", Self.target + query, headers, json: body)
            #expect(other.status == 422 && other.code == "key-reused")
        }
    }

    @Test func aDryRunTellsWhatWouldChangeAndChangesNothing() async {
        let fixture = await ServiceFixture.withMix()
        let before = await fixture.state
        let table = "id,title\nv1,Other\nn,New\n"
        let dry = await fixture.send("POST", "\(Self.target)?dryRun=true&prune=true", Self.csv, json: table)
        #expect(dry.status == 200 && dry.object["dryRun"] as? Bool == true)
        #expect(dry.object["from"] as? String == "lineage1-1" && dry.object["to"] as? String == "lineage1-1")
        #expect(await fixture.state == before)
        let real = await fixture.send("POST", "\(Self.target)?prune=true", Self.csv, json: table)
        #expect(ops(real) == ops(dry) && ops(real) == ["delete", "insert", "update"])
        #expect(counts(real) == counts(dry) && counts(real)["deleted"] == 4)
        let fresh = await fixture.send("POST", "/v1/collections/none/import?dryRun=true", Self.csv, json: table)
        #expect(fresh.status == 200 && fresh.text.contains("\"to\":null") && counts(fresh)["inserted"] == 2)
        #expect(await fixture.send("GET", "/v1/collections/none").status == 404)
    }

    @Test func aDryRunKeepsNoAnswer() async {
        let fixture = await ServiceFixture.withMix()
        let headers = Self.csv + [("Idempotency-Key", "trial")]
        for table in ["id,title\na,A\n", "id,title\nb,B\n"] {
            let dry = await fixture.send("POST", "\(Self.target)?dryRun=true", headers, json: table)
            #expect(dry.status == 200 && counts(dry)["inserted"] == 1)
            #expect(dry.headers["Idempotency-Replayed"] == nil)
        }
    }

    @Test func nothingIsDeletedIfSomethingCannotBeRead() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send(
            "POST", "\(Self.target)?prune=true", Self.csv, json: "id,title\nv1,Other\nbroken\n")
        #expect(received.status == 200 && ops(received) == ["update"])
        #expect(received.text.contains("nothing was deleted"))
    }

    @Test func nothingIsDeletedIfThereIsNoRecord() async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("POST", "\(Self.target)?prune=true", Self.csv, json: "id,title\n")
        #expect(received.status == 200 && fixture.revision == "lineage1-1")
        #expect(received.text.contains("nothing was deleted, since the document has no record"))
    }

    /// A section that an edit could not make is made by no import.
    @Test func aSectionsOwnMembersAreLimited() async {
        let fixture = await ServiceFixture.withMix { $0.limits.sectionBytes = 1_000 }
        let long = String(repeating: "x", count: 1_000)
        let json = [("Content-Type", "application/json")]
        for items in ["[]", #"[{"id":"n"}]"#] {
            let received = await fixture.send(
                "POST", Self.target, json, json: #"{"sections":[{"id":"n","note":"\#(long)","items":\#(items)}]}"#)
            #expect(received.status == 413 && received.code == "content-too-large", "\(received.text)")
            #expect(received.object["limit"] as? Int == 1_000)
        }
        #expect(fixture.revision == "lineage1-1")
    }

    @Test func theFilesOrderIsTakenWhenAskedFor() async {
        let fixture = await ServiceFixture.withMix()
        let table = "id\nv3\nv1\n"
        _ = await fixture.send("POST", Self.target, Self.csv, json: table)
        #expect(await fixture.send("GET", "/v1/collections/mix").sectionItems.first?.1 == ["v1", "v2", "v3"])
        let received = await fixture.send("POST", "\(Self.target)?order=source", Self.csv, json: table)
        #expect(ops(received) == ["move"] && counts(received)["moved"] == 1)
        #expect(await fixture.send("GET", "/v1/collections/mix").sectionItems.first?.1 == ["v3", "v1", "v2"])
    }

    /// A small body can make many items: what they take in memory is bounded too.
    @Test func entriesThatWouldTakeTooMuchMemoryAreRefused() async {
        let fixture = await ServiceFixture.withMix { $0.limits.bodyBytes = 64 << 10 }
        let before = await fixture.state
        let table = "a\n" + (0..<5_000).map { "\($0)\n" }.joined()
        let received = await fixture.send("POST", Self.target, Self.csv, json: table)
        #expect(received.status == 413 && received.code == "content-too-large", "\(received.text)")
        #expect(received.object["limit"] as? Int == 10 * 64 << 10)
        #expect(await fixture.state == before)
        // What it took is given back.
        let small = await fixture.send("POST", Self.target, Self.csv, json: "a\n1\n")
        #expect(small.status == 200)
    }

    @Test func metricsCallItByItsPattern() async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("POST", Self.target, Self.csv, json: "id\nn\n")
        let metrics = await fixture.send("GET", "/metrics")
        #expect(
            metrics.text.contains(
                #"medley_requests_total{method="POST",route="/v1/collections/{collection}/import",status="200"} 1"#))
    }
}
