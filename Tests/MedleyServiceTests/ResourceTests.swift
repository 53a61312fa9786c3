import Foundation
import HTTPCore
import Journal
import MedleyService
import Testing

@Suite struct ResourceTests {
    static let mix = "/v1/collections/mix"

    @Test func theServiceSaysWhatItIs() async {
        let fixture = ServiceFixture {
            $0.version = "1.2.3"
            $0.limits.bodyBytes = 5
            $0.limits.requestSeconds = 2.5
        }
        let received = await fixture.send("GET", "/v1")
        #expect(received.text.hasPrefix(#"{"name":"medley","version":"1.2.3","limits":{"requestLineBytes":32768,"#))
        #expect(received.text.contains(#","requestSeconds":2.5,"bodyBytes":5,"#))
        #expect(
            received.text.hasSuffix(
                """
                },"formats":["application/json","audio/x-mpegurl","audio/x-scpls","application/xspf+xml",\
                "application/jspf+json","application/rss+xml","text/csv","text/tab-separated-values","application/x-ndjson"],\
                "permissions":["read","write","admin"],"collections":["*"]}
                """))
        #expect(received.headers["Cache-Control"] == "no-cache")
    }

    @Test func theCollectionsAreListedByTheirIds() async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PUT", "/v1/collections/B", json: #"{"title":"a \"title\""}"#)
        let received = await fixture.send("GET", "/v1/collections")
        #expect(
            received.text == """
                {"collections":[\
                {"id":"B","title":"a \\"title\\"","revision":"lineage2-1","counts":{"sections":0,"items":0}},\
                {"id":"mix","title":"Mix","revision":"lineage1-1","counts":{"sections":3,"items":5}}]}
                """)
        #expect(await ServiceFixture().send("GET", "/v1/collections").text == #"{"collections":[]}"#)
    }

    @Test(arguments: [
        ("", ["v1", "v2", "v3", "m1", "m2"], nil), ("?type=music", ["m1", "m2"], nil),
        ("?liked=true", ["v1", "m2"], nil), ("?section=video&liked=false", ["v2", "v3"], nil),
        ("?ids=m1,v3,none,v1", ["m1", "v3", "v1"], ["none"]),
        ("?ids=m1,v3,none&type=music", ["m1"], ["none"]), ("?ids=m1", ["m1"], []),
    ])
    func itemsAreInOrderOrAsAsked(query: String, ids: [String], missing: [String]?) async {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", "\(Self.mix)/items\(query)")
        #expect(received.itemIDs == ids)
        #expect(received.object["missing"] as? [String] == missing)
        #expect(received.object["revision"] as? String == "lineage1-1")
    }

    @Test func storesListTheModelsOfAType() async {
        let fixture = await ServiceFixture.withMix()
        #expect(
            await fixture.send("GET", "\(Self.mix)/stores").text == """
                {"revision":"lineage1-1","stores":[{"type":"music","count":2},{"type":"shortVideo","count":1},\
                {"type":"video","count":2}]}
                """)
        #expect(
            await fixture.send("GET", "\(Self.mix)/stores/music").text == """
                {"revision":"lineage1-1","type":"music","count":2,"items":[\
                {"id":"m1","type":"music","liked":false,"title":"Slow ferry"},\
                {"id":"m2","type":"music","liked":true,"title":"Harbour"}]}
                """)
        _ = await fixture.send("PATCH", Self.mix, json: #"{"changes":[{"op":"delete","ids":["v3"]}]}"#)
        #expect(await fixture.send("GET", "\(Self.mix)/stores/shortVideo").code == "type-not-found")
    }

    @Test(arguments: [
        ("?since=lineage1-1&reset=inline", 200, false), ("?since=lineage1-2&reset=inline", 200, false),
        ("?since=lineage1-9&reset=inline", 200, true), ("?since=other-1&reset=inline", 200, true), ("", 200, true),
        ("?since=lineage1-9", 410, false), ("?since=other-2", 410, false),
    ])
    func sinceIsAnsweredByTheTable(query: String, status: Int, isReset: Bool) async {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("PATCH", Self.mix, json: #"{"changes":[{"op":"like","ids":["v2"]}]}"#)
        let received = await fixture.send("GET", "\(Self.mix)/changes\(query)")
        #expect(received.status == status)
        #expect((received.object["reset"] as? Bool ?? false) == isReset)
        if status == 200 {
            #expect(received.object["to"] as? String == "lineage1-2")
            #expect(received.headers["Revision"] == "lineage1-2")
            #expect((received.object["from"] is String) == !isReset)
        }
    }

    @Test func healthIsAlwaysTold() async {
        let fixture = ServiceFixture()
        for target in ["/healthz", "/readyz"] {
            let received = await fixture.send("GET", target, [("Accept", "text/plain")])
            #expect((received.status, received.text) == (200, #"{"status":"ok"}"#))
            #expect(received.headers["Cache-Control"] == "no-store")
        }
    }

    @Test func theContractIsServedAsItLies() async throws {
        let text = Array(String(repeating: "openapi: 3.1.0\n", count: 200).utf8)
        let fixture = ServiceFixture { $0.contract = text }
        let plain = await fixture.send("GET", "/openapi.yaml")
        #expect(plain.body == text)
        #expect(plain.headers["Content-Type"] == "application/yaml")
        let gzipped = await fixture.send("GET", "/openapi.yaml", [("Accept-Encoding", "gzip")])
        #expect(gzipped.headers["Content-Encoding"] == "gzip")
        #expect(try GzipTool.inflate(gzipped.body) == text)
        for response in [plain, gzipped] {
            let tag = try #require(response.headers["ETag"])
            let again = await fixture.send("GET", "/openapi.yaml", [("If-None-Match", tag)])
            #expect((again.status, again.headers["ETag"]) == (304, tag))
        }
        #expect(plain.headers["ETag"] != gzipped.headers["ETag"])
    }

    @Test func metricsCountWhatHappened() async throws {
        let fixture = await ServiceFixture.withMix()
        _ = await fixture.send("GET", "\(Self.mix)/items/v1")
        _ = await fixture.send("GET", "\(Self.mix)/items/v2")
        _ = await fixture.send("GET", "\(Self.mix)/items/v9")
        _ = await fixture.send("DELETE", "/v1/collections")
        _ = await fixture.send("BREW", "/coffee")
        _ = fixture.service.response(to: Refusal(status: 400, detail: ""))
        let received = await fixture.send("GET", "/metrics")
        #expect(received.headers["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        let route = #"route="/v1/collections/{collection}/items/{item}""#
        for line in [
            #"medley_requests_total{method="GET",\#(route),status="200"} 2"#,
            #"medley_requests_total{method="GET",\#(route),status="404"} 1"#,
            #"medley_requests_total{method="DELETE",route="/v1/collections",status="405"} 1"#,
            #"medley_requests_total{method="other",route="other",status="404"} 1"#,
            #"medley_requests_total{method="other",route="other",status="400"} 1"#,
            #"medley_request_duration_seconds_bucket{\#(route),le="0.0005"} 3"#,
            #"medley_request_duration_seconds_bucket{\#(route),le="+Inf"} 3"#,
            #"medley_request_duration_seconds_count{\#(route)} 3"#,
            #"medley_request_duration_seconds_sum{\#(route)} 0"#,
            "medley_collections 1", "medley_items 5", "medley_sections 3", "medley_revisions_total 1",
            "medley_connections 0", "# TYPE medley_request_duration_seconds histogram",
        ] {
            #expect(received.text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        // Each line is a comment or a sample; each metric is introduced.
        var introduced = Set<Substring>()
        for line in received.text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                introduced.insert(line.split(separator: " ")[2])
                continue
            }
            let sample = try #require(
                line.wholeMatch(of: /([a-z_]+)(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+/))
            let name = sample.output.1.replacing(/_(bucket|sum|count)$/, with: "")
            #expect(introduced.contains { $0 == name || $0 == sample.output.1 }, "\(line)")
        }
    }
}
