internal import COpenSSL
import Glibc

/// OpenSSL's settings with one certificate and key.
// SAFETY: nothing is changed after the initializer, and OpenSSL counts the references of its own with atomics.
@safe final class TLSContext: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Reads a certificate with its chain and its key; the error's message says what is wrong with which file.
    init(certificate: String, key: String) throws(EventLoopError) {
        guard let handle = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw EventLoopError(.badCertificate, "OpenSSL makes no context\(Self.reason())")
        }
        // Without an initialized `self` there is no deinit.
        var isComplete = false
        defer { if !isComplete { unsafe SSL_CTX_free(handle) } }
        guard unsafe medley_tls_restrict(handle) == 1 else {
            throw EventLoopError(.badCertificate, "OpenSSL does not take its settings\(Self.reason())")
        }
        unsafe SSL_CTX_set_alpn_select_cb(handle, selectProtocol, nil)
        unsafe SSL_CTX_set_default_passwd_cb(handle, givePassphrase)
        _ = try Self.mode(of: certificate)
        ERR_clear_error()
        guard unsafe SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
            throw EventLoopError(.badCertificate, "\(certificate) holds no certificate in PEM form\(Self.reason())")
        }
        guard try Self.mode(of: key) & 0o006 == 0 else {
            throw EventLoopError(
                .badCertificate, "\(key) is a key that every user of this machine may read: chmod o= takes that away")
        }
        // A key of another certificate is refused here; how, depends on whether it is of the same kind.
        guard unsafe SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1 else {
            guard medley_error_is_x509(ERR_peek_last_error()) == 0 else { throw Self.mismatch(certificate, key) }
            throw EventLoopError(
                .badCertificate, "\(key) holds no private key in PEM form that needs no passphrase\(Self.reason())")
        }
        guard unsafe SSL_CTX_check_private_key(handle) == 1 else { throw Self.mismatch(certificate, key) }
        isComplete = true
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe SSL_CTX_free(handle)
    }

    /// Whether the certificate's time is over.
    var hasExpired: Bool {
        guard let certificate = unsafe SSL_CTX_get0_certificate(handle) else { return false }
        return unsafe X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0
    }

    /// A new connection's state, the server's side; the caller frees it. It holds what it needs of this object.
    func makeHandle() -> OpaquePointer? {
        ERR_clear_error()
        guard let session = unsafe SSL_new(handle) else { return nil }
        unsafe SSL_set_accept_state(session)
        return unsafe session
    }

    private static func mismatch(_ certificate: String, _ key: String) -> EventLoopError {
        ERR_clear_error()
        return EventLoopError(.badCertificate, "\(key) is not the key of the certificate in \(certificate)")
    }

    /// The mode of a file that can be read; a pipe would have the process wait for ever.
    private static func mode(of path: String) throws(EventLoopError) -> mode_t {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let code = errno
        guard descriptor >= 0 else { throw EventLoopError(.badCertificate, "\(path) cannot be read", cause: code) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw EventLoopError(.badCertificate, "\(path) is no file")
        }
        return status.st_mode
    }

    /// What OpenSSL says of the last failure of this thread, in brackets.
    private static func reason() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let words = unsafe ERR_reason_error_string(code) else { return "" }
        return unsafe " (\(String(cString: words)))"
    }
}

/// Takes HTTP/1.1 from what a client offers; one that offers other protocols only is refused (RFC 7301, 3.2).
private func selectProtocol(
    _ session: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedLength: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ length: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let offers = unsafe UnsafeBufferPointer(start: offered, count: Int(length))
    let wanted = "http/1.1".utf8
    var start = 0
    while start < offers.count {
        let end = unsafe start + 1 + Int(offers[start])
        guard end <= offers.count else { break }
        if unsafe offers[start + 1..<end].elementsEqual(wanted) {
            unsafe selected?.pointee = unsafe offered?.advanced(by: start + 1)
            unsafe selectedLength?.pointee = UInt8(wanted.count)
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// No passphrase: OpenSSL would ask at the terminal.
private func givePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isForWriting: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }
