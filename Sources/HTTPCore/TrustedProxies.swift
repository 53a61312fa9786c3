/// The proxies that are believed when they tell whom a request comes from.
package struct TrustedProxies: Hashable, Sendable {
    private struct Network: Hashable, Sendable {
        let address: NetworkAddress
        let bits: Int

        func contains(_ other: NetworkAddress) -> Bool {
            // A shift by the whole width gives 0.
            let high = ~(UInt64.max >> UInt64(min(bits, 64)))
            let low = ~(UInt64.max >> UInt64(max(bits - 64, 0)))
            return (address.high ^ other.high) & high == 0 && (address.low ^ other.low) & low == 0
        }
    }

    private var networks: [Network] = []

    /// Nobody is believed.
    package init() {}

    /// Whether nobody is believed.
    package var isEmpty: Bool { networks.isEmpty }

    /// Adds `ADDRESS`, `ADDRESS/BITS` or `loopback`; says whether the text is one of these.
    package mutating func add(_ text: String) -> Bool {
        if text == "loopback" { return add("127.0.0.0/8") && add("::1") }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].contains("%"), let address = NetworkAddress(parts[0]) else { return false }
        let width = parts[0].contains(":") ? 128 : 32
        var bits = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(ByteClass.isDigit), let number = Int(parts[1]), number <= width else {
                return false
            }
            bits = number
        }
        networks.append(Network(address: address, bits: bits + 128 - width))
        return true
    }

    /// Whether requests from an address are believed.
    package func contains(_ address: NetworkAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    /// Takes from a request of one of these proxies whom it comes from, and whether by TLS.
    ///
    /// The client is the last address of `X-Forwarded-For` that is none of these proxies: what stands before it, anybody
    /// may have written. Where something else than an address stands in its place, it is the proxy itself.
    package func resolve(_ head: inout RequestHead) {
        if let scheme = head.headers.values("X-Forwarded-Proto").last {
            head.isSecure = scheme.split(separator: ",").last?.filter { $0 != " " }.lowercased() == "https"
        }
        let entries = head.headers.values("X-Forwarded-For").flatMap { $0.split(separator: ",") }
        for (index, entry) in entries.enumerated().reversed() {
            guard let address = Self.address(entry) else { return }
            if index == 0 || !contains(address) {
                head.forwardedFor = address
                return
            }
        }
    }

    /// An address, which some proxies write with a port, and an IPv6 one in brackets then.
    private static func address(_ entry: Substring) -> NetworkAddress? {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let trimmed = entry.drop(while: blank)
        let text = trimmed.prefix { !blank($0) }
        guard trimmed.dropFirst(text.count).allSatisfy(blank) else { return nil }
        if let address = NetworkAddress(text) { return address }
        if text.first == "[", text.last == "]" { return NetworkAddress(text.dropFirst().dropLast()) }
        return NetworkAddress(peer: String(text))
    }
}
