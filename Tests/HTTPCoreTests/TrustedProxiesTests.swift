import HTTPCore
import Testing

@Suite struct TrustedProxiesTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.0/8", "::10.0.0.1", false),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.0", false),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.129", true),
        ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("2001:db8::/64", "2001:db8::ffff:0:0:1", true), ("::1", "::1", true), ("::1", "::2", false),
        ("loopback", "127.9.9.9", true), ("loopback", "::1", true), ("loopback", "::2", false),
        ("::ffff:10.0.0.0/104", "10.1.2.3", true),
    ])
    func aNetworkHasItsAddresses(_ network: String, _ address: String, _ isIn: Bool) throws {
        var proxies = TrustedProxies()
        let isTaken = proxies.add(network)
        #expect(isTaken)
        #expect(try proxies.contains(#require(NetworkAddress(address))) == isIn)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "nginx", "10.0.0.0/8/8", "::1%lo", "loopback/8",
    ])
    func otherTextsAreRefused(_ text: String) {
        var proxies = TrustedProxies()
        let isTaken = proxies.add(text)
        #expect(!isTaken)
        #expect(proxies.isEmpty)
    }

    /// The values of `X-Forwarded-For`, and the client that the proxy 10.0.0.1 names so.
    @Test(
        arguments: [
            ([], "10.0.0.1"), (["203.0.113.7"], "203.0.113.7"), (["198.51.100.9, 203.0.113.7"], "203.0.113.7"),
            (["198.51.100.9", "203.0.113.7"], "203.0.113.7"), (["203.0.113.7, 10.0.0.2"], "203.0.113.7"),
            (["198.51.100.9, 203.0.113.7", "10.0.0.3,10.0.0.2"], "203.0.113.7"), (["10.0.0.9, 10.0.0.2"], "10.0.0.9"),
            (["203.0.113.7:4711"], "203.0.113.7"), (["[2001:db8::1]:4711"], "2001:db8:0:0:0:0:0:1"),
            (["[2001:db8::1]"], "2001:db8:0:0:0:0:0:1"), (["2001:db8::1"], "2001:db8:0:0:0:0:0:1"),
            (["\t203.0.113.7 "], "203.0.113.7"), (["unknown"], "10.0.0.1"), (["203.0.113.7, unknown"], "10.0.0.1"),
            (["unknown, 203.0.113.7"], "203.0.113.7"), (["203.0.113.7, unknown, 10.0.0.2"], "10.0.0.1"),
            (["203.0.113.7 10.0.0.2"], "10.0.0.1"), (["127.0.0.1"], "127.0.0.1"), ([","], "10.0.0.1"),
            ([""], "10.0.0.1"),
            (["203.0.113.7,"], "203.0.113.7"),
        ] as [([String], String)])
    func theClientIsTheLastThatIsNoProxy(_ values: [String], _ address: String) {
        var proxies = TrustedProxies()
        _ = proxies.add("10.0.0.0/8")
        var head = RequestHead(method: "GET", path: "/", peer: "10.0.0.1:4711")
        for value in values { head.headers.add("X-Forwarded-For", value) }
        proxies.resolve(&head)
        #expect(head.clientAddress == address)
    }

    @Test(
        arguments: [
            ([], false, false), ([], true, true), (["https"], false, true), (["HTTPS"], false, true),
            (["http"], true, false),
            (["http, https"], false, true), (["https", "http"], false, false), (["https,http"], false, false),
            (["gopher"], true, false),
        ] as [([String], Bool, Bool)])
    func theSchemeIsTheLastThatWasSaid(_ values: [String], _ isSecure: Bool, _ result: Bool) {
        var head = RequestHead(method: "GET", path: "/", peer: "10.0.0.1:4711")
        head.isSecure = isSecure
        for value in values { head.headers.add("X-Forwarded-Proto", value) }
        TrustedProxies().resolve(&head)
        #expect(head.isSecure == result)
    }
}
