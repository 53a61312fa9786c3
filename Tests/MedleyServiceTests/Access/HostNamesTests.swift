import HTTPCore
import Testing

@testable import MedleyService

@Suite struct HostNamesTests {
    @Test(
        arguments: [
            ("localhost", true), ("LOCALHOST:8080", true), ("localhost.", true), ("127.0.0.1:80", true),
            ("127.1.2.3", true),
            ("[::1]", true), ("[::1]:8080", true), ("nas.local:8080", true), ("NAS.local", true),
            ("evil.example", false),
            ("localhost.evil.example", false), ("127.0.0.1.evil.example", false), ("192.168.0.7", false),
            ("[fe80::1]", false), ("", false), ("127.0.0.1evil", false), ("127.evil", false), ("0.0.0.0", false),
            ("0127.0.0.1", false), ("127.0.0.01", false), ("[::ffff:127.0.0.1]:80", true),
            ("[0:0:0:0:0:0:0:1]", true), ("[127.0.0.1]", false),
        ])
    func onLoopbackOnlyItsNamesAreAdmitted(host: String, isAdmitted: Bool) {
        #expect(HostNames(["nas.local"], admitsNumbers: false).admit(host) == isAdmitted)
    }

    @Test(
        arguments: [
            ("192.168.0.7:8080", true), ("[fe80::1]:80", true), ("localhost", true), ("nas.local", false),
            ("1.2.3", false), ("1.2.3.4.5", false), ("1.2.3.400", false), ("evil.example", false),
            ("0300.0.0.1", false), ("[evil]", false), ("[]", false), ("[1.2.3.4]", false), ("[::1", false),
        ])
    func elsewhereAnyNumberWillDo(host: String, isAdmitted: Bool) {
        #expect(HostNames([], admitsNumbers: true).admit(host) == isAdmitted)
    }

    @Test func aStarAdmitsAll() { #expect(HostNames(["*"], admitsNumbers: false).admit("any.example")) }

    @Test(arguments: [
        ("GET", "/v1"), ("GET", "/healthz"), ("OPTIONS", "*"), ("PATCH", "/v1/collections/mix"), ("GET", "/"),
    ])
    func anotherNameIsRefusedWhateverIsAsked(method: String, target: String) async {
        let fixture = await ServiceFixture.withMix { $0.hosts = HostNames([], admitsNumbers: false) }
        let received = await fixture.send(method, target, [("Host", "evil.example")])
        #expect((received.status, received.code) == (421, "misdirected-request"))
        #expect(await fixture.send(method, target, [("Host", "localhost:8080")]).status != 421)
        // HTTP/1.0 may come without.
        #expect(await fixture.send(method, target).status != 421)
    }

    @Test(arguments: [
        ("http://evil.example/v1", "localhost", 421), ("http://localhost/v1", "evil.example", 200),
        ("/v1", "evil.example", 421), ("/v1", "localhost", 200),
    ])
    func aTargetsOwnAuthorityCounts(target: String, host: String, status: Int) async throws {
        let fixture = ServiceFixture { $0.hosts = HostNames([], admitsNumbers: false) }
        let received = try await LimitProbe.raw("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n", fixture)
        #expect(received.status == status)
    }
}
