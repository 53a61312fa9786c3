import HTTPCore

extension ServeOptions {
    /// The part of the usage that is about TLS and proxies.
    static let networkUsage = """
          --tls-cert FILE     speak TLS: the certificate in PEM form, followed by those that lead to its root
          --tls-key FILE      its key, without a passphrase and not readable by everyone; both are read again on SIGHUP
          --trust-proxy ADDRESS[/BITS]
                              a proxy whose X-Forwarded-For and X-Forwarded-Proto are believed, or the word loopback;
                              may be repeated
        """

    /// Reads the options of TLS and proxies where `argument` is one of them; says whether it was.
    mutating func readNetwork(_ name: String, _ value: () throws(UsageError) -> String) throws(UsageError) -> Bool {
        switch name {
        case "--tls-cert": tlsCertificate = try Self.path(try value(), name)
        case "--tls-key": tlsKey = try Self.path(try value(), name)
        case "--trust-proxy": try trust(try value(), name)
        default: return false
        }
        return true
    }

    /// Reads the variables of TLS and proxies; an empty one is none.
    mutating func readNetwork(environment: [String: String]) throws(UsageError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let text = value("MEDLEY_TLS_CERT") { tlsCertificate = try Self.path(text, "MEDLEY_TLS_CERT") }
        if let text = value("MEDLEY_TLS_KEY") { tlsKey = try Self.path(text, "MEDLEY_TLS_KEY") }
        for text in (value("MEDLEY_TRUST_PROXY") ?? "").split(separator: ",") {
            try trust(String(text), "MEDLEY_TRUST_PROXY")
        }
    }

    /// Checks that certificate and key come together.
    func checkNetwork() throws(UsageError) {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw UsageError(
                message: "--tls-cert and --tls-key go together: a certificate is of no use without its key")
        }
    }

    private mutating func trust(_ text: String, _ name: String) throws(UsageError) {
        guard proxies.add(text) else {
            throw UsageError(
                message:
                    "\(name) takes an address such as 192.0.2.1, 10.0.0.0/8 or fd00::/8, or loopback, not \"\(text)\"")
        }
    }
}
