/// A client's IP address.
package enum ClientAddress {
    /// The address in a peer's address and port: without port and brackets, an IPv4 address in IPv6 form as IPv4; empty if it
    /// is not known. O(1), and allocates nothing.
    package static func text(ofPeer peer: String) -> Substring {
        guard let colon = peer.utf8.lastIndex(of: UInt8(ascii: ":")) else { return "" }
        var host = peer[..<colon]
        if host.utf8.first == UInt8(ascii: "[") { host = host.dropFirst().dropLast() }
        let mapped = "::ffff:"
        if host.hasPrefix(mapped), host.utf8.contains(UInt8(ascii: ".")) { host = host.dropFirst(mapped.utf8.count) }
        return host
    }
}
