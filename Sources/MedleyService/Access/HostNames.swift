import HTTPCore

/// The names under which a server may be asked.
///
/// A page can have its own name lead to this server after it was loaded (DNS rebinding); its browser takes the server's
/// answers for the page's own then. What it cannot do is have a browser send another name than its own.
package struct HostNames: Sendable {
    private let names: Set<String>
    private let admitsNumbers: Bool
    private let admitsAll: Bool

    /// Creates the names.
    ///
    /// - Parameters:
    ///   - names: the names besides `localhost` and the addresses of loopback; `*` for any.
    ///   - admitsNumbers: whether any numeric address will do, which no name can be made to lead to.
    package init(_ names: [String], admitsNumbers: Bool) {
        self.names = Set(names.map { $0.lowercased() })
        self.admitsNumbers = admitsNumbers
        admitsAll = names.contains("*")
    }

    /// Whether a `Host` field, with or without a port, is one of the names.
    package func admit(_ field: String) -> Bool {
        if admitsAll { return true }
        let host = Self.host(field)
        if host == "localhost" || names.contains(host) { return true }
        guard let address = Self.address(host) else { return false }
        return admitsNumbers || address.isLoopback
    }

    /// The host without its port, and without the point that may end a name.
    private static func host(_ field: String) -> String {
        var host = field.lowercased()
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), !host.hasSuffix("]") {
            host = String(host[..<colon])
        }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// The address that a host is, IPv6 in brackets; `nil` for a name.
    private static func address(_ host: String) -> NetworkAddress? {
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        guard host.utf8.contains(UInt8(ascii: ":")) == isIPv6 else { return nil }
        return NetworkAddress(isIPv6 ? host.dropFirst().dropLast() : host[...])
    }
}
