import HTTPCore
import MedleyService
import Testing

/// What is decided before a body is read.
@Suite struct AdmissionTests {
    static let mix = "/v1/collections/mix"

    private func refusal(
        _ fixture: ServiceFixture, _ method: String, _ target: String, _ headers: [(String, String)],
        _ framing: BodyFraming
    ) -> Received? {
        var head = ServiceFixture.request(method, target, headers).head
        head.framing = framing
        if case .refuse(let response) = fixture.service.admit(head) { return Received(response) }
        return nil
    }

    @Test(arguments: [
        ("PUT", mix, "application/json", BodyFraming.length(1_000), nil),
        ("PUT", mix, "application/json", .chunked, nil),
        ("PUT", mix, "application/json", .length(1_001), "content-too-large"),
        ("PUT", mix, "text/plain", .length(1_001), "unsupported-media-type"),
        ("PUT", "/v1/collections/-", "application/json", .length(1), "invalid-id"),
        ("POST", mix, "application/json", .length(1), "method-not-allowed"),
        ("PUT", "/v1/none", "application/json", .length(1), "not-found"),
        ("PATCH", mix + "?x=1", "application/json", .length(1), "invalid-query"),
        ("PATCH", mix + "/items/v1", "application/merge-patch+json", .chunked, nil),
    ])
    func aBodyIsOnlyReadIfItCanBeTaken(
        method: String, target: String, type: String, framing: BodyFraming, code: String?
    ) {
        let fixture = ServiceFixture { $0.limits.bodyBytes = 1_000 }
        let received = refusal(fixture, method, target, [("Content-Type", type)], framing)
        #expect(received?.code == code)
        #expect((received == nil) == (code == nil))
        if code == "content-too-large" { #expect(received?.object["limit"] as? Int == 1_000) }
    }

    @Test func theLimitIsThatOfTheConfiguration() {
        let fixture = ServiceFixture { $0.limits.bodyBytes = 1_000 }
        let head = ServiceFixture.request("PUT", Self.mix, json: "{}").head
        guard case .accept(let limit, _) = fixture.service.admit(head) else {
            Issue.record("refused")
            return
        }
        #expect(limit == 1_000)
    }

    @Test(arguments: [
        ("/v1", "GET, HEAD, OPTIONS", nil), (mix, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS", "application/json"),
        (mix + "/items/a%2Fb", "GET, HEAD, PATCH, DELETE, OPTIONS", "application/merge-patch+json, application/json"),
        (mix + "/stores", "GET, HEAD, OPTIONS", nil), ("/", "GET, HEAD, OPTIONS", nil),
        ("*", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS", nil),
    ])
    func optionsTellTheMethods(target: String, allow: String, acceptPatch: String?) async {
        let fixture = ServiceFixture()
        let received = await fixture.send("OPTIONS", target)
        #expect(received.status == 204)
        #expect(received.headers["Allow"] == allow)
        #expect(received.headers["Accept-Patch"] == acceptPatch)
        #expect(received.body.isEmpty)
    }

    @Test(arguments: [
        "", "*/*", "application/*", "application/json", "application/problem+json", "text/html, */*;q=0.1",
        "application/json;q=0.5",
    ])
    func whatAdmitsJSONIsAnswered(accept: String) async {
        let fixture = await ServiceFixture.withMix()
        #expect(await fixture.send("GET", Self.mix, [("Accept", accept)]).status == 200)
    }
}
