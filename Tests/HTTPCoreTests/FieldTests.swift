import HTTPCore
import Testing

@Suite struct FieldTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_735_689_600, "Wed, 01 Jan 2025 00:00:00 GMT"),
    ])
    func writesDates(_ second: Int, _ text: String) {
        var date = HTTPDate()
        #expect(String(decoding: date.bytes(at: second), as: UTF8.self) == text)
        #expect(date.bytes(at: second + 1) != date.bytes(at: second))
    }

    @Test(
        arguments: [
            ("/", []), ("/v1", ["v1"]), ("/v1/", ["v1", ""]), ("//", ["", ""]), ("/v1//a", ["v1", "", "a"]),
            ("/a%2Fb/c+d/%41", ["a/b", "c+d", "A"]), ("/%252F", ["%2F"]), ("/%C3%A9", ["\u{e9}"]),
            ("/e%CC%81", ["e\u{301}"]), ("/%F0%9F%8E%B5", ["🎵"]), ("/.", ["."]),
            ("/%", nil), ("/%4", nil), ("/%zz", nil), ("/%FF", nil), ("/%C3", nil), ("/%ED%A0%80", nil), ("*", nil),
            ("", nil),
        ] as [(String, [String]?)])
    func splitsPaths(_ path: String, _ segments: [String]?) {
        let found = PathSegments(path)?.segments
        #expect(found.map { $0.map { Array($0.utf8) } } == segments.map { $0.map { Array($0.utf8) } })
    }

    @Test func splitsQueries() throws {
        let items = try #require(QueryItems("ids=a%2Cb,c+d,%E2%82%AC&&flag&a%3D=1=2&empty="))
        #expect(items.items.map(\.name) == ["ids", "flag", "a=", "empty"])
        #expect(items["ids"]?.list == ["a,b", "c+d", "€"])
        #expect(items["flag"]?.value == "")
        #expect(items["a="]?.value == "1=2")
        #expect(items["empty"]?.list == [])
        #expect(items["none"] == nil)
        #expect(items.repeatedName == nil)
        #expect(try #require(QueryItems("a=1&b=2&%61=3")).repeatedName == "a")
        #expect(try #require(QueryItems("a=%zz"))["a"]?.value == nil)
        #expect(try #require(QueryItems("a=x,%FF"))["a"]?.list == nil)
        #expect(QueryItems("%zz=1") == nil)
        #expect(QueryItems(nil)?.items.isEmpty == true)
    }

    @Test(arguments: ["a/b?c&d=e+f g%,é🎵", "", "plain-._~"])
    func percentEncodingReturns(_ text: String) {
        let encoded = PercentEncoding.encode(text)
        #expect(PercentEncoding.decode(encoded) == text)
        #expect(encoded.utf8.allSatisfy { $0 < 128 && $0 > 32 && $0 != UInt8(ascii: "/") })
    }

    @Test(
        arguments: [
            ([], "application/json"), (["*/*"], "application/json"), (["application/*"], "application/json"),
            (["text/csv"], "text/csv"), (["text/csv;q=0.5, application/json;q=0.4"], "text/csv"),
            (["text/csv; q=0.5", "application/json"], "application/json"), (["TEXT/CSV;Q=1"], "text/csv"),
            (["application/json;q=0, */*"], "text/csv"), (["image/png"], nil), (["*/*;q=0"], nil),
            (["application/json;q=0.001"], "application/json"),
            (["text/csv;q=1.5, application/json;q=0.1"], "application/json"),
            (["application/json;q=2"], "application/json"),
            (["text/csv;x=\"a,b\";q=0.1, application/json;q=0.2"], "application/json"),
        ] as [([String], String?)])
    func choosesMediaTypes(_ accept: [String], _ chosen: String?) {
        #expect(Negotiation.mediaType(of: ["application/json", "text/csv"], accept: accept) == chosen)
    }

    @Test(
        arguments: [
            ([], "identity"), (["gzip"], "gzip"), (["gzip, deflate, br"], "gzip"), (["GZIP;q=0.5"], "gzip"),
            (["gzip;q=0"], "identity"), ([""], "identity"), (["*"], "gzip"), (["identity"], "identity"),
            (["gzip;q=0.5, identity"], "identity"), (["identity;q=0.5, gzip"], "gzip"), (["*;q=0"], nil),
            (["identity;q=0"], nil), (["gzip;q=0, *"], "identity"), (["br"], "identity"),
            (["x, identity;q=0, gzip;q=0.1"], "gzip"),
        ] as [([String], String?)])
    func choosesCodings(_ accept: [String], _ chosen: String?) {
        #expect(Negotiation.coding(of: ["gzip"], acceptEncoding: accept) == chosen)
    }

    @Test func comparesEntityTags() throws {
        let list = try #require(EntityTagList(["\"a\", W/\"b,c\"", "\"\""]))
        #expect(list.tags == [EntityTag("a"), EntityTag("b,c", isWeak: true), EntityTag("")])
        #expect(list.matchesWeakly("a") && list.matchesWeakly("b,c") && !list.matchesWeakly("c"))
        #expect(list.matchesStrongly("a") && !list.matchesStrongly("b,c") && list.matchesStrongly(""))
        let any = try #require(EntityTagList(["*"]))
        #expect(any.isAny && any.matchesStrongly("x") && any.matchesWeakly("x"))
        #expect(EntityTag("r;gz").text == "\"r;gz\"" && EntityTag("r", isWeak: true).text == "W/\"r\"")
        for bad in [[], [""], ["a"], ["\"a"], ["\"a\" \"b\""], ["w/\"a\""], ["*", "\"a\""], ["\"a b\""]] {
            #expect(EntityTagList(bad) == nil, "\(bad)")
        }
    }

    @Test func readsPreferences() {
        #expect(Preference(["return=minimal"]).returnsMinimal)
        #expect(Preference(["wait=10;x=y, RETURN=\"minimal\""]).returnsMinimal)
        #expect(Preference(["respond-async", "return=minimal"]).values["respond-async"] == "")
        #expect(!Preference(["return=representation, return=minimal"]).returnsMinimal)
        #expect(!Preference([]).returnsMinimal)
    }

    @Test func readsMediaTypes() throws {
        let type = try #require(MediaType("Application/JSON ; Charset=\"utf-8\";a=b"))
        #expect(type.essence == "application/json")
        #expect(type.parameters == ["charset": "utf-8", "a": "b"])
        for bad in ["", "json", "a/", "/b", "a/b c", "a/b;c=", "a/b, c/d"] { #expect(MediaType(bad) == nil, "\(bad)") }
    }

    @Test func writesProblems() {
        let problem = Problem(code: "not-found", status: 404, title: "Not found", detail: "a\"\\\n\r\t\u{1}\u{1f}é")
            .with("pointer", "/a").with("limit", 7).with("changes", json: "[1]").withHeader("Allow", "GET")
        #expect(
            String(decoding: problem.json, as: UTF8.self)
                == "{\"type\":\"/problems/not-found\",\"title\":\"Not found\",\"status\":404,"
                + "\"detail\":\"a\\\"\\\\\\n\\r\\t\\u0001\\u001fé\",\"pointer\":\"/a\",\"limit\":7,\"changes\":[1]}")
        let response = problem.response
        #expect(response.status == 404)
        #expect(response.headers["content-type"] == "application/problem+json")
        #expect(response.headers["allow"] == "GET")
    }

    @Test func writesHeads() throws {
        let id = try #require(RequestID("r-1"))
        var headers = HeaderFields()
        headers.add("X-A", "b\r\nInjected: c")
        var bytes: [UInt8] = []
        ResponseHead.append(
            to: &bytes, status: 404, headers: headers, framing: .length(1_203), persistence: .close,
            date: HTTPDate.format(0), requestID: id)
        ResponseHead.append(
            to: &bytes, status: 200, headers: .init(), framing: .chunked, persistence: .keepAlive,
            date: Array("D".utf8), requestID: id)
        ResponseHead.appendChunkLine(to: &bytes, count: 0xBEEF)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 404 Not Found\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nX-Request-Id: r-1\r\nX-A: b  Injected: c\r\n"
                + "Content-Length: 1203\r\nConnection: close\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nDate: D\r\nX-Request-Id: r-1\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\nbeef\r\n"
        )
    }
}
