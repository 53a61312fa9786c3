import Testing

@testable import MedleyService

@Suite struct ClientNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:DB8:1:2::1", "2001:db8:1:2"),
        ("2001:db8::1", "2001:db8:0:0"), ("fe80::1%eth0", "fe80:0:0:0"), ("::1", "0:0:0:0"),
        ("2001:db8:1::", "2001:db8:1:0"),
    ])
    func aHostIsItsNetwork(_ address: String, _ key: String) {
        #expect(ClientNetwork.key(of: address) == key)
    }
}
