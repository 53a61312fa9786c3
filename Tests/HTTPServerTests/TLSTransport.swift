import COpenSSL
import Glibc

/// A client's side of TLS over a blocking socket.
@safe final class TLSTransport: TestTransport {
    private let context: OpaquePointer
    private let session: OpaquePointer
    /// The certificate that the server has shown, encoded.
    private(set) var certificate: [UInt8] = []
    /// The protocol that was agreed on; empty if none.
    private(set) var applicationProtocol = ""

    /// Shakes hands. The server's certificate must be in the file of `authority`, for 127.0.0.1.
    ///
    /// - Parameter offers: the protocols to choose from.
    init(_ descriptor: Int32, authority: String, offers: [String] = ["http/1.1"]) throws {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()), let session = unsafe SSL_new(context) else {
            throw TestClient.Failure(message: "OpenSSL makes no session")
        }
        unsafe self.context = unsafe context
        unsafe self.session = unsafe session
        // The session has the context's settings of when it was made.
        unsafe SSL_CTX_load_verify_locations(context, authority, nil)
        unsafe SSL_set_verify(session, SSL_VERIFY_PEER, nil)
        unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), "127.0.0.1")
        let list = offers.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        unsafe SSL_set_alpn_protos(session, list, UInt32(list.count))
        unsafe SSL_set_fd(session, descriptor)
        ERR_clear_error()
        guard unsafe SSL_connect(session) == 1 else {
            let words = unsafe ERR_reason_error_string(ERR_peek_last_error()).map { unsafe String(cString: $0) }
            throw TestClient.Failure(message: "no handshake: \(words ?? "the connection has ended")")
        }
        if let shown = unsafe SSL_get0_peer_certificate(session) {
            var bytes = [UInt8](repeating: 0, count: Int(unsafe i2d_X509(shown, nil)))
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var place = buffer.baseAddress
                unsafe _ = i2d_X509(shown, &place)
            }
            certificate = bytes
        }
        var chosen: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &chosen, &length)
        applicationProtocol = unsafe String(
            decoding: UnsafeBufferPointer(start: chosen, count: Int(length)), as: UTF8.self)
    }

    deinit {
        unsafe SSL_free(session)
        unsafe SSL_CTX_free(context)
    }

    func send(_ bytes: [UInt8], from start: Int) -> Int {
        ERR_clear_error()
        return Int(
            unsafe bytes.withUnsafeBytes {
                unsafe SSL_write(session, $0.baseAddress?.advanced(by: start), Int32(bytes.count - start))
            })
    }

    /// An end that was told is 0; one that was not is an error.
    func receive(into buffer: inout [UInt8]) -> Int {
        ERR_clear_error()
        let count = unsafe SSL_read(session, &buffer, Int32(buffer.count))
        if count > 0 { return Int(count) }
        return unsafe SSL_get_error(session, count) == SSL_ERROR_ZERO_RETURN ? 0 : -1
    }

    /// Changes the keys and asks the server to do so too.
    func updateKeys() -> Bool {
        ERR_clear_error()
        return unsafe SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(session) == 1
    }

    func endSending() { unsafe SSL_shutdown(session) }
}
