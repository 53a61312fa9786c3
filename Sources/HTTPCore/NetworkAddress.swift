/// An IPv4 or IPv6 address. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 address.
package struct NetworkAddress: Hashable, Sendable {
    /// The first 64 bits.
    let high: UInt64
    /// The last 64 bits.
    let low: UInt64

    /// What stands for an address that is not known.
    package static let unknown = NetworkAddress(high: 0, low: 0)

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads `192.0.2.1` or `2001:db8::1` (RFC 4291, 2.2); a zone behind `%` is left aside. O(text).
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(64))
        if !bytes.contains(UInt8(ascii: ":")) {
            guard let number = Self.ipv4(bytes[...]) else { return nil }
            self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(number))
            return
        }
        guard let groups = Self.groups(bytes.prefix { $0 != UInt8(ascii: "%") }) else { return nil }
        self.init(high: Self.joined(groups[..<4]), low: Self.joined(groups[4...]))
    }

    /// The address of a peer, `192.0.2.1:80` or `[2001:db8::1]:80`.
    package init?(peer: String) {
        guard let colon = peer.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = peer[..<colon]
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            return nil
        }
        self.init(host)
    }

    /// Whether it is IPv4.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whether it leads to this machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What of a client's address stands for the client: an IPv4 address; of an IPv6 one the first 64 bits, since a host
    /// has all the addresses of such a network.
    package var clientNetwork: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

    private static func ipv4(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            // A number that begins with 0 is octal to some readers.
            guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            var value: UInt32 = 0
            for digit in part {
                guard ByteClass.isDigit(digit) else { return nil }
                value = value * 10 + UInt32(digit - UInt8(ascii: "0"))
            }
            guard value <= 255 else { return nil }
            number = number << 8 | value
        }
        return number
    }

    /// The eight groups of an IPv6 address.
    private static func groups(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
        let colon = UInt8(ascii: ":")
        var gap: Int?
        for index in bytes.indices.dropLast() where bytes[index] == colon && bytes[index + 1] == colon {
            guard gap == nil else { return nil }
            gap = index
        }
        guard let gap else { return Self.list(bytes).flatMap { $0.count == 8 ? $0 : nil } }
        guard let front = Self.list(bytes[..<gap], isEnd: false), let back = Self.list(bytes[(gap + 2)...]),
            front.count + back.count <= 7
        else { return nil }
        return front + Array(repeating: 0, count: 8 - front.count - back.count) + back
    }

    /// Groups with single colons between them, at the end of an address the last two perhaps as an IPv4 address; none of no
    /// bytes.
    private static func list(_ bytes: ArraySlice<UInt8>, isEnd: Bool = true) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if isEnd, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let number = Self.ipv4(part) else { return nil }
                groups += [UInt16(number >> 16), UInt16(number & 0xFFFF)]
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var value: UInt16 = 0
            for byte in part {
                guard let digit = ByteClass.hexValue(byte) else { return nil }
                value = value << 4 | UInt16(digit)
            }
            groups.append(value)
        }
        return groups
    }

    private static func joined(_ groups: ArraySlice<UInt16>) -> UInt64 {
        groups.reduce(0) { $0 << 16 | UInt64($1) }
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// An IPv4 address as usual; an IPv6 one by all of its eight groups.
    package var description: String {
        if isIPv4 {
            return stride(from: 24, through: 0, by: -8).map { String(low >> $0 & 0xFF) }.joined(separator: ".")
        }
        return [high, low].flatMap { half in
            stride(from: 48, through: 0, by: -16).map { String(half >> $0 & 0xFFFF, radix: 16) }
        }.joined(separator: ":")
    }
}
