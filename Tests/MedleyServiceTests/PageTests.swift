import HTTPCore
import MedleyService
import Testing

/// The web page and its parts.
@Suite struct PageTests {
    static let script = "// A script that is long enough for gzip.\n" + String(repeating: "let a = 1;\n", count: 200)

    static let files = [
        PageFile(name: "index.html", content: Array("<!doctype html>".utf8)),
        PageFile(name: "style.css", content: Array("body { margin: 0 }".utf8)),
        PageFile(name: "page.js", content: Array(script.utf8)),
        PageFile(name: "icon.svg", content: Array("<svg/>".utf8)),
    ]

    static let module = PageFile(name: "medley.js", content: Array(script.utf8))

    static func fixture() -> ServiceFixture {
        ServiceFixture {
            $0.page = files
            $0.module = module
        }
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/page/style.css", "text/css; charset=utf-8"),
        ("/page/page.js", "text/javascript; charset=utf-8"), ("/page/icon.svg", "image/svg+xml"),
    ])
    func eachPartHasItsTypeAndTheStrictFields(target: String, type: String) async {
        let received = await Self.fixture().send("GET", target)
        #expect(received.status == 200)
        #expect(received.headers["Content-Type"] == type)
        #expect(received.headers["Cache-Control"] == "no-cache")
        #expect(received.headers["X-Content-Type-Options"] == "nosniff")
        let policy = received.headers["Content-Security-Policy"] ?? ""
        #expect(policy.hasPrefix("default-src 'self';"))
        #expect(!policy.contains("unsafe"))
        #expect(!received.body.isEmpty)
    }

    @Test(arguments: ["/page/index.html", "/page/other.js", "/page/", "/page", "/page/..%2Fstyle.css", "/page/a/b"])
    func nothingElseIsServed(target: String) async {
        let received = await Self.fixture().send("GET", target)
        #expect(received.status == 404)
        #expect(received.code == "not-found")
    }

    @Test(arguments: ["/", "/medley.js"])
    func withoutFilesThereIsNothing(target: String) async {
        let received = await ServiceFixture().send("GET", target)
        #expect(received.code == "not-found")
    }

    @Test func theModuleIsAScriptThatAnAllowedOriginMayLoad() async {
        let origin = "https://player.example"
        let fixture = ServiceFixture {
            $0.module = Self.module
            $0.origins = .listed([origin])
        }
        let received = await fixture.send("GET", "/medley.js", [("Origin", origin)])
        #expect(received.status == 200)
        #expect(received.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(received.headers["Cache-Control"] == "no-cache")
        #expect(received.headers["X-Content-Type-Options"] == "nosniff")
        #expect(received.headers["Access-Control-Allow-Origin"] == origin)
    }

    @Test(arguments: ["/", "/page/page.js", "/medley.js"], ["identity", "gzip"])
    func aPartThatTheClientHoldsIsNotSentAgain(target: String, coding: String) async throws {
        let fixture = Self.fixture()
        let first = await fixture.send("GET", target, [("Accept-Encoding", coding)])
        let tag = try #require(first.headers["ETag"])
        let isGzip = coding == "gzip" && target != "/"
        #expect(first.headers["Content-Encoding"] == (isGzip ? "gzip" : nil))
        #expect(tag.hasSuffix(#";gzip""#) == isGzip)
        for method in ["GET", "HEAD"] {
            let again = await fixture.send(method, target, [("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(again.headers["ETag"] == tag)
            #expect(again.body.isEmpty)
        }
        let other = await fixture.send("GET", target, [("If-None-Match", #""0123456789abcdef""#)])
        #expect(other.status == 200)
    }

    @Test func anotherContentIsAnotherTag() async {
        let tags = await [Self.fixture().send("GET", "/page/style.css"), Self.fixture().send("GET", "/page/icon.svg")]
            .map { $0.headers["ETag"] }
        #expect(tags[0] != tags[1])
    }

    @Test func itIsReadOnly() async {
        let received = await Self.fixture().send("PUT", "/page/style.css", json: "{}")
        #expect(received.status == 405)
        #expect(received.headers["Allow"] == "GET, HEAD, OPTIONS")
    }
}
