import HTTPCore
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"), ("2001:DB8:1:2::1", "2001:db8:1:2:0:0:0:1"),
        ("::", "0:0:0:0:0:0:0:0"), ("::1", "0:0:0:0:0:0:0:1"), ("1::", "1:0:0:0:0:0:0:0"),
        ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
        ("64:ff9b::192.0.2.1", "64:ff9b:0:0:0:0:c000:201"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ])
    func readsAddresses(_ text: String, _ address: String) {
        #expect(NetworkAddress(text)?.description == address)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.0004", "1.2.3.+4", "1.2.3.4 ", "a.b.c.d",
        "1..2.3",
        ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1.2.3", "1.2.3.4::",
        "1:2:3:4:5:6:7::8:9", ":1:2:3:4:5:6:7", "unknown", "[::1]", "1:2:3:4:5:6:7:8::",
    ])
    func refusesWhatIsNone(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.3", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false), ("1::1", false), ("::", false), ("126.0.0.1", false),
    ])
    func knowsLoopback(_ text: String, _ isLoopback: Bool) {
        #expect(NetworkAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("::ffff:192.0.2.7", "192.0.2.7", true),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("fe80::1%eth0", "fe80::2", true),
    ])
    func aHostIsItsNetwork(_ one: String, _ other: String, _ areSame: Bool) throws {
        let (one, other) = (try #require(NetworkAddress(one)), try #require(NetworkAddress(other)))
        #expect((one.clientNetwork == other.clientNetwork) == areSame)
    }

    @Test(
        arguments: [
            ("127.0.0.1:80", "127.0.0.1"), ("[::1]:8080", "0:0:0:0:0:0:0:1"), ("", nil), ("::1", nil), ("1.2.3.4", nil),
            ("[::1:80", nil),
        ] as [(String, String?)])
    func readsPeers(_ peer: String, _ address: String?) {
        #expect(NetworkAddress(peer: peer)?.description == address)
    }
}
