import HTTPCore
import MedleyService
import Testing

/// What pages of other origins can have a browser do.
@Suite struct OriginTests {
    private static let mix = "/v1/collections/mix"
    private static let own = [("Host", "localhost:8080"), ("Origin", "http://localhost:8080")]
    private static let foreign = [("Host", "localhost:8080"), ("Origin", "https://evil.example")]

    /// Header fields, and whether an edit without a token is refused, and one with a cookie.
    private static let table: [(fields: [(String, String)], refusesAnyone: Bool, refusesCookie: Bool)] = [
        ([], false, true), ([("Host", "localhost:8080")], false, true), (own, false, false), (foreign, true, true),
        ([("Host", "localhost:8080"), ("Origin", "null")], true, true),
        // As HTTP/1.0 comes, without Host.
        ([("Origin", "null")], true, true), ([("Origin", "http://localhost:8080")], true, true),
        ([("Host", "localhost:8080"), ("Origin", "http://localhost:8081")], true, true),
        ([("Host", "a.example"), ("Origin", "https://a.example:443")], false, false),
        ([("Host", "a.example:443"), ("Origin", "https://A.example")], false, false),
        ([("Host", "a.example"), ("Origin", "ftp://a.example")], true, true),
        (own + [("Sec-Fetch-Site", "same-origin")], false, false),
        // A proxy has put another name in the place of the one that the page was loaded from.
        (foreign + [("Sec-Fetch-Site", "same-origin")], false, false),
        ([("Sec-Fetch-Site", "same-origin")], false, false), ([("Sec-Fetch-Site", "none")], false, true),
        (own + [("Sec-Fetch-Site", "cross-site")], true, true), (own + [("Sec-Fetch-Site", "same-site")], true, true),
        ([("Sec-Fetch-Site", "cross-site")], true, true),
    ]

    @Test(arguments: table.indices)
    func anEditIsRefusedByWhereItComesFrom(index: Int) async throws {
        let row = Self.table[index]
        for (method, target, json) in [
            ("PATCH", Self.mix, ProblemTests.like), ("PUT", Self.mix, "{}"), ("DELETE", Self.mix + "/items/v1", nil),
        ] {
            let open = await ServiceFixture.withMix()
            let received = await open.send(method, target, row.fields, json: json)
            #expect((received.code == "forbidden") == row.refusesAnyone, "\(method) \(received.status)")
            #expect((received.status == 200) == !row.refusesAnyone)

            let kit = try TokenKit(.admin)
            let fixture = await ServiceFixture.withMix(showing: kit.shows()) { $0.access = kit.access }
            let session = try await Self.signIn(fixture, kit)
            #expect(await fixture.send("GET", Self.mix, row.fields + session).status == 200)
            let byCookie = await fixture.send(method, target, row.fields + session, json: json)
            #expect((byCookie.code == "forbidden") == row.refusesCookie, "\(method) \(byCookie.status)")
            #expect((byCookie.status == 200) == !row.refusesCookie)
            // No browser shows a token of itself.
            let byToken = await fixture.send(method, target, row.fields + kit.shows(), json: json)
            #expect(byToken.code != "forbidden")
        }
    }

    static func signIn(_ fixture: ServiceFixture, _ kit: TokenKit, _ name: String = "token") async throws -> [(
        String, String
    )] {
        let received = await fixture.send("POST", "/v1/session", kit.shows(name))
        let cookie = try #require(received.headers["Set-Cookie"]?.split(separator: ";").first)
        return [("Cookie", "theme=dark; \(cookie)")]
    }

    @Test func anAllowedOriginMayEditWithoutATokenAndNotWithACookie() async throws {
        let open = await ServiceFixture.withMix { $0.origins = .listed(["https://evil.example"]) }
        #expect(await open.send("PATCH", Self.mix, Self.foreign, json: ProblemTests.like).status == 200)
        let all = await ServiceFixture.withMix { $0.origins = .all }
        #expect(await all.send("PATCH", Self.mix, Self.foreign, json: ProblemTests.like).status == 200)
        let kit = try TokenKit(.admin)
        let fixture = await ServiceFixture.withMix(showing: kit.shows()) {
            $0.access = kit.access
            $0.origins = .all
        }
        let session = try await Self.signIn(fixture, kit)
        let received = await fixture.send("PATCH", Self.mix, Self.foreign + session, json: ProblemTests.like)
        #expect((received.status, received.code) == (403, "forbidden"))
    }

    @Test func nobodyIsSignedInFromAForeignPage() async throws {
        let kit = try TokenKit(.admin)
        let fixture = ServiceFixture {
            $0.access = kit.access
            $0.origins = .all
        }
        let received = await fixture.send("POST", "/v1/session", Self.foreign + kit.shows())
        #expect((received.status, received.code) == (403, "forbidden"))
        #expect(received.headers["Set-Cookie"] == nil)
    }

    @Test func aForeignPageReadsNothingThatItMayNot() async throws {
        let fixture = await ServiceFixture.withMix()
        let received = await fixture.send("GET", Self.mix, Self.foreign)
        #expect(received.headers["Access-Control-Allow-Origin"] == nil)
        let allowed = await ServiceFixture.withMix { $0.origins = .all }
        let answer = await allowed.send("GET", Self.mix, Self.foreign)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        // So a cookie is never sent from there, whatever the browser makes of SameSite.
        #expect(answer.headers["Access-Control-Allow-Credentials"] == nil)
    }
}
