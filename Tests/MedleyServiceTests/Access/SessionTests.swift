import HTTPCore
import Testing

@testable import MedleyService

@Suite struct SessionTests {
    private static let own = [("Host", "a.example"), ("Origin", "http://a.example")]

    @Test func aTokenIsExchangedForACookieThatDoesAsMuch() async throws {
        let kit = try TokenKit([("token", .write, "mix")])
        let fixture = ServiceFixture { $0.access = kit.access }
        let received = await fixture.send("POST", "/v1/session", kit.shows() + Self.own)
        #expect(received.status == 200)
        #expect(received.headers["Cache-Control"] == "no-store")
        #expect(received.text == #"{"expiresIn":28800,"permissions":["read","write"],"collections":["mix"]}"#)
        let cookie = try #require(received.headers["Set-Cookie"])
        #expect(
            cookie.wholeMatch(
                of: /medley_session=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800/) != nil,
            "\(cookie)")
        let session = [("Cookie", String(cookie.prefix { $0 != ";" }))]
        let service = await fixture.send("GET", "/v1", session)
        #expect(service.text.contains(#""permissions":["read","write"],"collections":["mix"]"#))
        #expect(await fixture.send("GET", "/v1/collections", session).status == 200)
        #expect(await fixture.send("GET", "/v1/collections").status == 401)
        #expect(await fixture.send("GET", "/v1/collections/other", session).status == 404)
    }

    @Test func aPageThatCameOverTLSGetsACookieThatNeverLeavesIt() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let fields = [("Host", "a.example"), ("Origin", "https://a.example")]
        let received = await fixture.send("POST", "/v1/session", kit.shows() + fields)
        let cookie = try #require(received.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-medley_session=") && cookie.hasSuffix("; Secure"))
        #expect(cookie.contains("; Path=/;") && !cookie.contains("Domain"))
        let session = String(cookie.prefix { $0 != ";" })
        // It counts before one that a plain connection may have put in.
        let both = [("Cookie", "medley_session=gone; \(session)")]
        #expect(await fixture.send("GET", "/v1/collections", both).status == 200)
        let closed = await fixture.send("DELETE", "/v1/session", fields + both)
        #expect(closed.headers["Set-Cookie"]?.hasPrefix("__Host-medley_session=; ") == true)
        #expect(kit.access.sessionCount == 0)
    }

    @Test func signingOutEndsTheSession() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let session = try await OriginTests.signIn(fixture, kit)
        #expect(await fixture.send("GET", "/v1/collections", session).status == 200)
        #expect(await fixture.send("DELETE", "/v1/session", session).status == 403)
        let received = await fixture.send("DELETE", "/v1/session", session + Self.own)
        #expect(received.status == 204)
        #expect(received.headers["Set-Cookie"]?.contains("medley_session=; ") == true)
        #expect(received.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(await fixture.send("GET", "/v1/collections", session).status == 401)
        #expect(await fixture.send("DELETE", "/v1/session", session + Self.own).status == 204)
        #expect(kit.access.sessionCount == 0)
    }

    @Test func aSessionEndsInTimeAndWithItsToken() async throws {
        let clock = ManualClock()
        let kit = try TokenKit([("a", .read, "*"), ("b", .read, "*")], clock: clock)
        let fixture = ServiceFixture { $0.access = kit.access }
        let first = try await OriginTests.signIn(fixture, kit, "a")
        clock.advance(by: SessionTable.seconds - 1)
        let (later, other) = (
            try await OriginTests.signIn(fixture, kit, "a"), try await OriginTests.signIn(fixture, kit, "b")
        )
        #expect(await fixture.send("GET", "/v1/collections", first).status == 200)
        clock.advance(by: 1)
        #expect(await fixture.send("GET", "/v1/collections", first).status == 401)
        #expect(await fixture.send("GET", "/v1/collections", later).status == 200)
        try kit.withdraw("a")
        #expect(await fixture.send("GET", "/v1/collections", later).status == 401)
        #expect(await fixture.send("GET", "/v1/collections", other).status == 200)
        #expect(kit.access.sessionCount == 1)
    }

    @Test func aSessionThatHasEndedIsAsGoodAsNone() async throws {
        let kit = try TokenKit(.write, anonymous: .read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let received = await fixture.send("GET", "/v1/collections", [("Cookie", "medley_session=gone")])
        #expect(received.status == 200)
    }

    @Test func whoIsSignedInIsTold() async throws {
        let kit = try TokenKit([("phone", .write, "mix,team-*")], anonymous: .read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let nobody = #"{"name":null,"takesTokens":true,"permissions":["read"],"collections":["*"]}"#
        let phone =
            #"{"name":"phone","takesTokens":true,"permissions":["read","write"],"collections":["mix","team-*"]}"#
        let received = await fixture.send("GET", "/v1/session")
        #expect(received.text == nobody && received.headers["Cache-Control"] == "no-store")
        #expect(await fixture.send("GET", "/v1/session", kit.shows("phone")).text == phone)
        let session = try await OriginTests.signIn(fixture, kit, "phone")
        #expect(await fixture.send("GET", "/v1/session", session).text == phone)
        try kit.withdraw("phone")
        #expect(await fixture.send("GET", "/v1/session", session).text == nobody)
        #expect(await fixture.send("GET", "/v1/session", kit.shows("phone")).status == 401)
    }

    @Test func withoutTokensThereIsNobodyToSignIn() async {
        let received = await ServiceFixture().send("GET", "/v1/session")
        #expect(
            received.text
                == #"{"name":null,"takesTokens":false,"permissions":["read","write","admin"],"collections":["*"]}"#)
        // No token would help.
        let refused = await ServiceFixture().send("POST", "/v1/session")
        #expect((refused.status, refused.code) == (403, "forbidden"))
        #expect(refused.headers["WWW-Authenticate"] == nil)
    }

    @Test func aSessionOpensNoOther() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let session = try await OriginTests.signIn(fixture, kit)
        #expect(await fixture.send("POST", "/v1/session", session + Self.own).status == 401)
        #expect(await fixture.send("POST", "/v1/session").status == 401)
    }

    @Test func aTokenHasOnlySoManySessions() async throws {
        let kit = try TokenKit(.read)
        let fixture = ServiceFixture { $0.access = kit.access }
        let first = try await OriginTests.signIn(fixture, kit)
        for _ in 1..<SessionTable.mostOfToken { _ = try await OriginTests.signIn(fixture, kit) }
        #expect(await fixture.send("GET", "/v1/collections", first).status == 200)
        _ = try await OriginTests.signIn(fixture, kit)
        #expect(await fixture.send("GET", "/v1/collections", first).status == 401)
        #expect(kit.access.sessionCount == SessionTable.mostOfToken)
    }
}
