import EventLoop

/// The certificate that a server shows, read again when it is told to; any thread.
final class ServedCertificate: Sendable {
    let identity: TLSIdentity
    private let path: String
    private let log: @Sendable (String) -> Void

    /// Reads the files; throws what is wrong with them.
    init(certificate: String, key: String, log: @escaping @Sendable (String) -> Void) throws(EventLoopError) {
        identity = try TLSIdentity(certificate: certificate, key: key)
        path = certificate
        self.log = log
        warn()
    }

    /// Reads the files again; files that cannot be used change nothing, which is told in the log.
    func reload() {
        do throws(EventLoopError) {
            try identity.reload()
            log("the certificate in \(path) is in force for new connections")
            warn()
        } catch {
            log("\(error); the certificate stays the one that was in force")
        }
    }

    private func warn() {
        if identity.hasExpired { log("the certificate in \(path) has expired: clients will refuse it") }
    }
}

extension ServeOptions {
    /// The certificate that was asked for, `nil` if none was.
    func certificate(log: @escaping @Sendable (String) -> Void) throws(EventLoopError) -> ServedCertificate? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return try ServedCertificate(certificate: tlsCertificate, key: tlsKey, log: log)
    }
}
