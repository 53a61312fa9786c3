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
        return host == "localhost" || host == "[::1]" || Self.isLoopback(host) || names.contains(host)
            || (admitsNumbers && (host.hasPrefix("[") || Self.isIPv4(host)))
    }

    /// The host without its port, and without the point that may end a name.
    private static func host(_ field: String) -> String {
        var host = field.lowercased()
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), !host.hasSuffix("]") {
            host = String(host[..<colon])
        }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && !$0.hasPrefix("+") }
    }

    private static func isLoopback(_ host: String) -> Bool { isIPv4(host) && host.hasPrefix("127.") }
}
