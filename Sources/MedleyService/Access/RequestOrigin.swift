import HTTPCore

/// Where a browser says that a request comes from.
enum RequestOrigin: Equatable {
    /// From a page of this server.
    case own
    /// From a page of another; what it calls itself, if it does.
    case foreign(String?)
    /// From no page, or from a browser that does not say.
    case unstated

    /// Reads `Sec-Fetch-Site`, which a page cannot set, and, where there is none, `Origin`.
    init(_ head: RequestHead) {
        let origin = head.headers["Origin"]
        switch head.headers["Sec-Fetch-Site"]?.lowercased() {
        case "same-origin": self = .own
        case nil, "none":
            guard let origin else {
                self = .unstated
                return
            }
            // `null` is no page's own, nor is any origin where the request names no server.
            if let page = Self.authority(ofOrigin: origin), let host = head.headers["Host"],
                page == Self.canonical(host)
            {
                self = .own
            } else {
                self = .foreign(origin)
            }
        default: self = .foreign(origin)
        }
    }

    /// Whether the request came by TLS, or a page sends it that did.
    static func isSecure(_ head: RequestHead) -> Bool {
        head.isSecure || head.headers["Origin"]?.lowercased().hasPrefix("https://") == true
    }

    private static func authority(ofOrigin origin: String) -> String? {
        for scheme in ["http://", "https://"] where origin.lowercased().hasPrefix(scheme) {
            return canonical(String(origin.dropFirst(scheme.count)))
        }
        return nil
    }

    /// Host and port in small letters, a scheme's own port left out: which of the two it is, only a proxy knows.
    private static func canonical(_ authority: String) -> String {
        let small = authority.lowercased()
        for port in [":80", ":443"] where small.hasSuffix(port) { return String(small.dropLast(port.count)) }
        return small
    }
}
